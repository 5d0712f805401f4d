import { setTimeout as pause } from 'node:timers/promises';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { type Principal, passportHeader } from '@lms/contracts/passport';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

// A system that has just come up may be busy for longer than its readiness says.
const patienceMs = 60_000;
const pauseMs = 500;

export class RequestFailed extends Error {
  override name = 'RequestFailed';
  readonly status: number;
  constructor(line: string, status: number, body: string) {
    super(`${line} answers ${status} ${body.slice(0, 500)}`);
    this.status = status;
  }
}

export interface Call<T extends TSchema> {
  /** The service to ask, by its base URL: no limit and no quota stands in between. */
  service: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object | FormData;
  /** What `data` of the answer looks like. */
  data: T;
}

export type Caller = <T extends TSchema>(call: Call<T>) => Promise<Static<T>>;

/** Calls services as one user, with passports like those the gateway hands out. */
export function callAs(principal: Principal, privateKeyPem: string): Caller {
  const signPassport = createPassportSigner(privateKeyPem);
  return async ({ service, method, path, body, data }) => {
    const isForm = body instanceof FormData;
    const send = () =>
      fetch(new URL(path, service), {
        method,
        headers: {
          [passportHeader]: signPassport(principal),
          ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(30_000),
      });
    const deadline = Date.now() + patienceMs;
    let answer = await send();
    while (answer.status === 503 && Date.now() < deadline) {
      await answer.body?.cancel();
      await pause(pauseMs);
      answer = await send();
    }
    const text = await answer.text();
    if (!answer.ok) throw new RequestFailed(`${method} ${path}`, answer.status, text);
    const envelope = Value.Parse(Type.Object({ data: Type.Unknown() }), JSON.parse(text));
    return Value.Parse(data, envelope.data);
  };
}
