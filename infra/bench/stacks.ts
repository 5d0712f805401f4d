// Compares two running local stacks, of two commits for instance: the same signed-in reads, in turns. See README.md.
import { createClient, unwrap } from '@lms/client';
import { readStackFile, signIn } from 'local/running-stack';
import { load, type Measured } from './harness/measure.ts';
import { compare, setting } from './harness/run-bench.ts';

const seconds = setting('BENCH_SECONDS', 2);
const stacks = await Promise.all(process.argv.slice(2).map(openStack));
const cases = stacks.flatMap((reads, at) => reads.map(({ name, run }) => [`${name}, stack ${at + 1}`, run] as const));
// By their names, so that each read of one stack follows the same of the other.
cases.sort(([one], [other]) => one.localeCompare(other));
const { ratio } = await compare(Object.fromEntries(cases), setting('BENCH_ROUNDS', 3));
const ratios = stacks[0]?.map(({ name }) => [name, ratio(`${name}, stack 2`, `${name}, stack 1`, 'requests/s')]) ?? [];
console.table(Object.fromEntries(ratios));

/** The reads of a stack. @param directory its DATA_DIR */
async function openStack(directory: string): Promise<{ name: string; run: () => Promise<Measured> }[]> {
  const stack = await readStackFile(directory);
  const token = await signIn(stack.identityProvider.url, 'admin@lms.test');
  const { GET } = createClient({ baseUrl: stack.gateway.url, token: () => token });
  const [topic] = await unwrap(GET('/api/admin/education/topics'));
  const measured = ['gateway', 'identity', 'content', 'media', 'enrollment', 'redis'];
  const pids = Object.fromEntries(measured.map((part) => [part, Number(stack[part].pid)]));
  const headers = { authorization: `Bearer ${token}` };
  const read = (name: string, path: string) => {
    const requests = [{ path: `/api${path}`, headers }];
    return { name, run: () => load({ url: stack.gateway.url, requests, connections: 32, seconds, pids }) };
  };
  return [
    read('topics of a subject', `/education/subjects/${topic?.subjectId}/topics`),
    read('one topic', `/education/topics/${topic?.id}`),
    read('profile', '/auth/profile'),
    read('own enrollments', '/enrollment'),
  ];
}
