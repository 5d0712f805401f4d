import { normalizeStrings } from '@lms/service/normalize-text';
import { unavailable } from '@lms/service/problems';
import { Value } from '@sinclair/typebox/value';
import { ProviderUser } from './schemas.ts';

const timeoutMs = 2_000;
const maxDepth = 32;

/** What the provider says about an account now; undefined where it knows none. @throws a 503 where it doesn't answer */
export type ProviderClient = (identityProviderId: string) => Promise<ProviderUser | undefined>;

/** Asks a provider's user endpoint, `GET <usersUrl>/<id>`, with a bearer token where one is needed. */
export const createProviderClient =
  (usersUrl: string, token: string | undefined): ProviderClient =>
  async (identityProviderId) => {
    // A dot segment would be resolved away and ask for something else.
    if (/^\.{1,2}$/.test(identityProviderId)) return undefined;
    const url = `${usersUrl.replace(/\/$/, '')}/${encodeURIComponent(identityProviderId)}`;
    const { status, json } = await fetchJson(url, token);
    if (status === 404) return undefined;
    const { value, issues } = normalizeStrings(json, maxDepth);
    if (status !== 200 || issues.length > 0 || !Value.Check(ProviderUser, value) || value.id !== identityProviderId)
      throw unavailable(new Error(`the provider's user endpoint answered ${status} with an unexpected body`));
    return value;
  };

async function fetchJson(url: string, token: string | undefined): Promise<{ status: number; json: unknown }> {
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    });
    if (response.status === 200) return { status: 200, json: await response.json() };
    await response.body?.cancel();
    return { status: response.status, json: null };
  } catch (cause) {
    throw unavailable(cause);
  }
}
