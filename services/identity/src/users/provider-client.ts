import { normalizeStrings } from '@lms/service/normalize-text';
import { unavailable } from '@lms/service/problems';
import { createCheck } from '@lms/service/validation';
import { Value } from '@sinclair/typebox/value';
import { ProviderUser } from './schemas.ts';

const timeoutMs = 2_000;
const maxDepth = 32;
const providerUser = createCheck(ProviderUser);

export interface ProviderClient {
  /**
   * The provider's current state of an account; undefined if the provider does not know it.
   * @throws a 503 if the provider is unavailable or its response is invalid
   */
  findUser(identityProviderId: string): Promise<ProviderUser | undefined>;
}

/** A client of the provider's user endpoint, `GET <usersUrl>/<id>`. */
export function createProviderClient(usersUrl: string, token: string | undefined): ProviderClient {
  return {
    async findUser(identityProviderId) {
      // URL parsing removes dot segments, so these ids would request another resource.
      if (/^\.{1,2}$/.test(identityProviderId)) return undefined;
      const url = `${usersUrl.replace(/\/$/, '')}/${encodeURIComponent(identityProviderId)}`;
      const { status, json } = await fetchJson(url, token);
      if (status === 404) return undefined;
      // Without the user's metadata, whose texts may be invalid.
      const { value, issues } = normalizeStrings(Value.Clean(ProviderUser, json), maxDepth);
      if (status !== 200 || issues.length > 0 || !providerUser.isValid(value) || value.id !== identityProviderId)
        throw unavailable(new Error(`the provider's user endpoint returned ${status} with an unexpected body`));
      return value;
    },
  };
}

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
