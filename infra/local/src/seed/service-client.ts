import { setTimeout as pause } from 'node:timers/promises';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { type Principal, passportHeader } from '@lms/contracts/passport';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

// Just after the start, a service may respond with 503 although it is ready.
const retryTimeoutMs = 60_000;
const retryDelayMs = 500;

export class RequestFailed extends Error {
  override name = 'RequestFailed';
  readonly status: number;
  constructor(line: string, status: number, body: string) {
    super(`${line} responded with ${status} ${body.slice(0, 500)}`);
    this.status = status;
  }
}

export interface Call<T extends TSchema> {
  /** The base URL of the service. Direct requests have no rate limits and quotas. */
  service: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object | FormData;
  /** The schema of `data` in the response. */
  data: T;
}

export type ServiceClient = <T extends TSchema>(call: Call<T>) => Promise<Static<T>>;

/** Sends requests to services as one user, with passports like those of the gateway. */
export function createServiceClient(principal: Principal, privateKeyPem: string): ServiceClient {
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
    const deadline = Date.now() + retryTimeoutMs;
    let response = await send();
    while (response.status === 503 && Date.now() < deadline) {
      await response.body?.cancel();
      await pause(retryDelayMs);
      response = await send();
    }
    const text = await response.text();
    if (!response.ok) throw new RequestFailed(`${method} ${path}`, response.status, text);
    const envelope = Value.Parse(Type.Object({ data: Type.Unknown() }), JSON.parse(text));
    return Value.Parse(data, envelope.data);
  };
}
