import { setTimeout as pause } from 'node:timers/promises';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { createClient } from '@lms/client';
import { type Principal, passportHeader } from '@lms/contracts/passport';

// Just after the start, a service may respond with 503 although it is ready.
const retryTimeoutMs = 60_000;
const retryDelayMs = 500;

const services = ['identity', 'content', 'media', 'enrollment'] as const;
export type ServiceAddresses = Record<(typeof services)[number], { url: string }>;

export class RequestFailed extends Error {
  override name = 'RequestFailed';
  readonly status: number;
  constructor({ method, url }: Request, status: number, body: string) {
    super(`${method} ${new URL(url).pathname} responded with ${status} ${body.slice(0, 500)}`);
    this.status = status;
  }
}

/**
 * Sends a request to a service as a user, or as the gateway itself, with a passport like those of the gateway. Such requests
 * have no rate limits and quotas.
 * @throws RequestFailed
 */
export function createPassportFetch(privateKeyPem: string, principal: Principal | null) {
  const signPassport = createPassportSigner(privateKeyPem);
  return async (request: Request): Promise<Response> => {
    const deadline = Date.now() + retryTimeoutMs;
    for (;;) {
      const attempt = new Request(request.clone(), { signal: AbortSignal.timeout(30_000) });
      attempt.headers.set(passportHeader, signPassport(principal));
      const response = await fetch(attempt);
      if (response.ok) return response;
      const body = await response.text();
      if (response.status !== 503 || Date.now() > deadline) throw new RequestFailed(request, response.status, body);
      await pause(retryDelayMs);
    }
  };
}

/** A client for each service. Its requests are those of `principal`. */
export function createServiceClients(addresses: ServiceAddresses, privateKeyPem: string, principal: Principal) {
  const fetch = createPassportFetch(privateKeyPem, principal);
  const clientOf = (name: (typeof services)[number]) => createClient({ baseUrl: addresses[name].url, fetch });
  return {
    identity: clientOf('identity'),
    content: clientOf('content'),
    media: clientOf('media'),
    enrollment: clientOf('enrollment'),
  };
}
export type ServiceClients = ReturnType<typeof createServiceClients>;
