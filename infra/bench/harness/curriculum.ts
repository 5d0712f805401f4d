import { type Client, unwrap } from '@lms/client';
import { waitFor } from '@lms/testing/wait-for';

const topicsPerSubject = 20;
const contentCharacters = 2_000;
const words = 'number line fraction whole part angle circle square root power sum product prime factor ratio'.split(
  ' ',
);

const inGroups = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

/** A `curriculum.json` with this many topics of 2 KB, each different. */
export function curriculumOf(topicCount: number, { subjectsPerGrade = 5, gradesPerLevel = 10 } = {}): File {
  const allTopics = Array.from({ length: topicCount }, (_, at) => ({ ...named('topic', at), content: contentOf(at) }));
  const allSubjects = inGroups(allTopics, topicsPerSubject).map((topics, at) => ({ ...named('subject', at), topics }));
  const allGrades = inGroups(allSubjects, subjectsPerGrade).map((subjects, at) => ({
    ...named('grade', at),
    level: 'primary',
    subjects,
  }));
  const levels = inGroups(allGrades, gradesPerLevel).map((grades, at) => ({ ...named('level', at), grades }));
  return new File([JSON.stringify({ version: 1, levels })], 'curriculum.json');
}

const named = (kind: string, number: number) => ({
  ...{ externalId: `${kind}-${number}`, name: `${kind} ${number}` },
  description: `The ${kind} with the number ${number}`,
});

function contentOf(topic: number): string {
  let text = `Topic ${topic}.`;
  for (let at = topic; text.length < contentCharacters; at += 1 + (at % 7))
    text += ` ${words[at % words.length]} ${at}`;
  return text.slice(0, contentCharacters);
}

/** Imports a curriculum, and waits for the end. */
export async function importCurriculum(client: Client, file: File, mode: 'create' | 'upsert') {
  const { id } = await unwrap(client.importCurriculum({ file, mode }));
  await untilCompleted(() => unwrap(client.GET('/api/admin/education/imports/{id}', { params: { path: { id } } })));
}

/** Waits for the end of an import or export. */
export async function untilCompleted<J extends { status: string; finishedAt: string | null }>(read: () => Promise<J>) {
  const readFinished = async () => {
    const job = await read();
    return job.finishedAt === null ? undefined : job;
  };
  const job = await waitFor(readFinished, { timeoutMs: 600_000, until: 'the end of a job' });
  if (job.status !== 'completed') throw new Error(JSON.stringify(job).slice(0, 1_000));
  return job;
}
