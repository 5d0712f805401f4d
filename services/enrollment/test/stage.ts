import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { InternalSubject } from '@lms/contracts/internal/content';
import type { Principal } from '@lms/contracts/passport';
import { createId } from '@lms/database/columns';
import { createNeighbour } from '@lms/server/ask-neighbour';
import { testDatabase } from '@lms/testing/database';
import { asCaller, person, testPassportKey } from '@lms/testing/people';
import { pino } from 'pino';
import type { Test } from 'tap';
import { buildApp } from '../src/app.ts';

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
export const silent = pino({ level: 'silent' });

/** An HTTP server that answers content's internal questions about the subjects it was given. */
export async function startContent(t: Test) {
  const subjects = new Map<string, InternalSubject>();
  let questions = 0;
  const server = createServer((request, response) => {
    questions += 1;
    const subject = subjects.get(request.url?.split('/')[3] ?? '');
    response.writeHead(subject ? 200 : 404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        subject
          ? { success: true, data: subject }
          : { success: false, error: 'Subject not found', code: 'NOT_FOUND', requestId: 'content-says' },
      ),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  t.teardown(stop);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    questions: () => questions,
    stop,
    addSubject(given: Partial<InternalSubject> = {}): InternalSubject {
      const subject = { id: createId(), name: 'Algebra', gradeId: createId(), mentorId: null, isLive: true, ...given };
      subjects.set(subject.id, subject);
      return subject;
    },
  };
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The service on a database of its own, next to a content that can be told what it holds. */
export async function stage(t: Test) {
  const [database, content] = await Promise.all([testDatabase(t, migrations), startContent(t)]);
  const neighbour = createNeighbour(content.url);
  const app = await buildApp({
    logger: silent,
    database,
    passportKey: testPassportKey,
    content: neighbour,
    nudge: () => undefined,
  });
  t.teardown(async () => {
    await app.close();
    await neighbour.close();
  });

  async function call(who: Principal | null, method: Method, url: string, payload?: object) {
    const headers = who ? asCaller(who) : {};
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) });
    const { data, pagination, ...body } = response.json();
    return { status: response.statusCode, headers: response.headers, data, pagination, body };
  }

  return {
    app,
    database,
    content,
    call,
    /** A new learner's request for a subject, and what came of it. */
    async request(subjectId: string, learner = person(), message?: string) {
      const { data } = await call(learner, 'POST', '/api/enrollment/request', {
        subjectId,
        ...(message && { message }),
      });
      return { learner, enrollment: data };
    },
  };
}

export type Stage = Awaited<ReturnType<typeof stage>>;
