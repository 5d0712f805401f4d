import { setTimeout as pause } from 'node:timers/promises';

/** The payload of an answer that must have this status; the story ends where it has another. */
export async function expect<T>(
  status: number,
  asked: Promise<{ response: Response; data?: { data: T } }>,
): Promise<T> {
  const { response, data } = await asked;
  assertStatus(status, response);
  if (!data) throw new Error(`${response.url} was answered without data`);
  return data.data;
}

/** For refusals, whose status is all that the story needs, and for bytes. */
export async function expectStatus<A extends { response: Response }>(status: number, asked: Promise<A>): Promise<A> {
  const answer = await asked;
  assertStatus(status, answer.response);
  return answer;
}

// A second is what is promised while NATS runs, ten without it.
const newsTravelsMs = 10_000;

/** For what a change somewhere else brings about: the news of it travels as an event. */
export async function expectSoon<A extends { response: Response }>(status: number, ask: () => Promise<A>): Promise<A> {
  const deadline = Date.now() + newsTravelsMs;
  let answer = await ask();
  while (answer.response.status !== status && Date.now() < deadline) {
    await pause(100);
    answer = await ask();
  }
  assertStatus(status, answer.response);
  return answer;
}

function assertStatus(status: number, response: Response) {
  assert(
    response.status === status,
    `${new URL(response.url).pathname} should have been answered ${status}, not ${response.status}`,
  );
}

export function assert(condition: boolean, claim: string) {
  if (!condition) throw new Error(`It did not go as told: ${claim}`);
}
