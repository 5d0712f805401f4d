import { testPrincipal } from '@lms/testing/principals';
import type { Test } from 'tap';
import { startKeyServer } from './key-server.ts';
import { startGateway } from './start-gateway.ts';

/** Starts a gateway with one registered user and a provider that signs any payload. */
export async function startTokenGateway(t: Test, environment: Record<string, string> = {}) {
  const issuer = await startKeyServer(t);
  const gateway = await startGateway(t, { issuer, environment });
  const user = testPrincipal();
  gateway.upstream.principals.set(user.identityProviderId, user);
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { iss: issuer.issuer, sub: user.identityProviderId, iat, exp: iat + 600 };
  const sendToken = async (authorization: string | string[], route = '/api/enrollment') =>
    gateway.send(route, { headers: { authorization } });
  const statusOf = async (token: string) => (await sendToken(`Bearer ${token}`)).status;
  return { ...gateway, issuer, claims, sendToken, statusOf };
}
