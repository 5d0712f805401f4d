import { setTimeout as pause } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { school, subjectOfAccounts } from './school.ts';
import { RequestFailed, type ServiceClient } from './service-client.ts';

const Job = Type.Object({ id: Type.String(), status: Type.String(), issues: Type.Array(Type.Unknown()) });
const Item = Type.Object({ id: Type.String() });

const path = '/api/admin/education/imports';
const openStatuses = ['queued', 'checking', 'importing'];
const timeoutMs = 120_000;
const pauseMs = 50;

export interface Mentor {
  mentorId: string;
  mentorEmail: string;
}

export interface CreatedTopic {
  subjectId: string;
  topicId: string;
}

/**
 * Imports the sample content. Items that exist from an interrupted attempt stay.
 * @returns the first subject, which is the mentor's, and its first topic
 */
export async function importSchool(
  request: ServiceClient,
  content: string,
  mentor: Mentor | undefined,
): Promise<CreatedTopic> {
  await cancelOpenImports(request, content);
  const body = { version: 1, levels: school };
  const started = await request({ service: content, method: 'POST', path, body, data: Job });
  const job = await untilEnded(request, content, started.id);
  if (job.status !== 'completed')
    throw new Error(`The import of the sample content is ${job.status}: ${JSON.stringify(job.issues).slice(0, 500)}`);

  const find = async (list: string) => {
    const [found] = await request({ service: content, method: 'GET', path: list, data: Type.Array(Item) });
    if (!found) throw new Error(`The sample content has nothing at ${list}`);
    return found.id;
  };
  const subjectId = await find(`/api/admin/education/subjects?externalId=${subjectOfAccounts}`);
  const topicId = await find(`/api/admin/education/topics?subjectId=${subjectId}&sort=position&limit=1`);
  // A curriculum has the e-mail address only.
  const subject = `/api/admin/education/subjects/${subjectId}`;
  if (mentor) await request({ service: content, method: 'PUT', path: subject, body: mentor, data: Item });
  return { subjectId, topicId };
}

/** That of an interrupted attempt would otherwise be continued later. */
async function cancelOpenImports(request: ServiceClient, content: string): Promise<void> {
  const jobs = await request({ service: content, method: 'GET', path: `${path}?limit=100`, data: Type.Array(Job) });
  for (const { id, status } of jobs) {
    if (!openStatuses.includes(status)) continue;
    const cancel = { service: content, method: 'POST', path: `${path}/${id}/cancel`, data: Job } as const;
    await request(cancel).catch((error: unknown) => {
      if (!(error instanceof RequestFailed) || error.status !== 409) throw error;
    });
  }
}

async function untilEnded(request: ServiceClient, content: string, id: string) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const job = await request({ service: content, method: 'GET', path: `${path}/${id}`, data: Job });
    if (!openStatuses.includes(job.status)) return job;
    if (Date.now() > deadline) throw new Error('The import of the sample content takes too long');
    await pause(pauseMs);
  }
}
