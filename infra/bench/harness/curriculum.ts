import { waitFor } from '@lms/testing/wait-for';
import type { startLocalStack } from './local-stack.ts';

export type Stack = Awaited<ReturnType<typeof startLocalStack>>;

const topicsPerSubject = 20;
const contentCharacters = 2_000;
const words = 'number line fraction whole part angle circle square root power sum product prime factor ratio'.split(
  ' ',
);

/** A `curriculum.json` with this many topics of 2 KB, each different. */
export function curriculumOf(topics: number, { subjectsPerGrade = 5, gradesPerLevel = 10 } = {}): string {
  const children = <T>(total: number, each: number, start: number, make: (index: number, count: number) => T): T[] =>
    Array.from({ length: Math.ceil(total / each) }, (_, index) =>
      make(start + index * each, Math.min(each, total - index * each)),
    );
  const subjectSize = topicsPerSubject;
  const gradeSize = subjectSize * subjectsPerGrade;
  const levels = children(topics, gradeSize * gradesPerLevel, 0, (levelStart, levelCount) => ({
    ...named('level', levelStart),
    grades: children(levelCount, gradeSize, levelStart, (gradeStart, gradeCount) => ({
      ...named('grade', gradeStart),
      level: 'primary',
      subjects: children(gradeCount, subjectSize, gradeStart, (subjectStart, subjectCount) => ({
        ...named('subject', subjectStart),
        topics: children(subjectCount, 1, subjectStart, (topic) => ({
          ...named('topic', topic),
          content: contentOf(topic),
        })),
      })),
    })),
  }));
  return JSON.stringify({ version: 1, levels });
}

function named(kind: string, number: number) {
  const name = `${kind} ${number}`;
  return { externalId: `${kind}-${number}`, name, description: `The ${kind} that begins with number ${number}` };
}

function contentOf(topic: number): string {
  let text = `Topic ${topic}.`;
  for (let at = topic; text.length < contentCharacters; at += 1 + (at % 7))
    text += ` ${words[at % words.length]} ${at}`;
  return text.slice(0, contentCharacters);
}

export async function runImport(stack: Stack, format: string, file: Blob, mode: string) {
  const body = new FormData();
  body.set('file', file, `curriculum.${format}`);
  await runJob(stack, '/admin/education/imports', `?mode=${mode}`, body);
}

/** Starts an import or export, and waits for its end. */
export async function runJob(stack: Stack, path: string, query: string, body: object) {
  const { id } = Object(await stack.request('POST', path + query, body));
  const readEnded = async () => {
    const job = Object(await stack.request('GET', `${path}/${id}`));
    return ['completed', 'failed', 'cancelled'].includes(job.status) ? job : undefined;
  };
  const job = await waitFor(readEnded, { timeoutMs: 600_000, until: `the end of ${path}` });
  if (job.status !== 'completed') throw new Error(JSON.stringify(job).slice(0, 1_000));
  return job;
}
