import t from 'tap';
import type { Container } from './compose-file.ts';
import { readContainers } from './start-container.ts';

const { containers, getContainer, start } = readContainers(t);

// infra/observability/test/queries.test.ts starts the processes with their whole environment, and reads their metrics.
async function outcomeOf(container: Container): Promise<string> {
  const { child, outcome } = await start(container);
  return outcome.finally(() => child.kill('SIGKILL'));
}

t.test('a missing setting is detected', async (t) => {
  const { NATS_URL, ...rest } = getContainer('identity').environment ?? {};
  t.ok(NATS_URL);
  t.match(
    await outcomeOf({ ...getContainer('identity'), environment: rest }),
    /^exit 78: [\s\S]*NATS_URL: is required/,
  );
});

t.test('each task accepts its settings, and fails only because a server is unavailable', async (t) => {
  const tasks = Object.entries(containers).filter(
    ([, { restart, command }]) => restart === 'no' && command?.[1]?.startsWith('dist/'),
  );
  t.equal(tasks.length, 7);
  const outcomes = await Promise.all(tasks.map(async ([name, task]) => [name, await outcomeOf(task)] as const));
  for (const [name, outcome] of outcomes) {
    t.match(outcome, /^exit 1: [\s\S]*(ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|fetch failed)/, name);
    t.notMatch(outcome, /Invalid settings|is required/, name);
  }
});
