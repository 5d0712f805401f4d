import { setTimeout as pause } from 'node:timers/promises';

/** Returns `data` of a response. @throws if the response has another status */
export async function expect<T>(
  status: number,
  request: Promise<{ response: Response; data?: { data: T } }>,
): Promise<T> {
  const { response, data } = await request;
  assertStatus(status, response);
  if (!data) throw new Error(`The response of ${response.url} has no data`);
  return data.data;
}

/** For responses without JSON, or whose body does not matter. */
export async function expectStatus<A extends { response: Response }>(status: number, request: Promise<A>): Promise<A> {
  const result = await request;
  assertStatus(status, result.response);
  return result;
}

// Events take at most a second while NATS is available, and ten without it.
const eventTimeoutMs = 10_000;

/** Repeats a request until it has the expected status: the effect of an event in another service takes a moment. */
export async function expectEventually<A extends { response: Response }>(
  status: number,
  send: () => Promise<A>,
): Promise<A> {
  const deadline = Date.now() + eventTimeoutMs;
  let result = await send();
  while (result.response.status !== status && Date.now() < deadline) {
    await pause(100);
    result = await send();
  }
  assertStatus(status, result.response);
  return result;
}

function assertStatus(status: number, response: Response) {
  assert(
    response.status === status,
    `${new URL(response.url).pathname} responded with ${response.status} instead of ${status}`,
  );
}

export function assert(condition: boolean, claim: string) {
  if (!condition) throw new Error(`Assertion failed: ${claim}`);
}
