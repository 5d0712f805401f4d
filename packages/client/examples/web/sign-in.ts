// Sign-in with the authorization code flow and PKCE. Tokens live in this module only, so that no other script can read
// them from a storage; after a reload the user is signed in again by the provider's own session.
export interface ProviderSettings {
  issuer: string;
  clientId: string;
}

interface Tokens {
  access_token: string;
  refresh_token?: string;
  expires_in: number;
}

interface Endpoints {
  authorization_endpoint: string;
  token_endpoint: string;
  end_session_endpoint?: string;
}

const redirectUri = `${location.origin}${location.pathname}`;

export async function createSignIn({ issuer, clientId }: ProviderSettings) {
  const discovery = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const endpoints: Endpoints = await discovery.json();
  let tokens: Tokens | undefined;
  let expiresAt = 0;
  let refresh: Promise<void> | undefined;

  async function request(parameters: Record<string, string>) {
    const body = new URLSearchParams({ client_id: clientId, ...parameters });
    const response = await fetch(endpoints.token_endpoint, { method: 'POST', body });
    if (response.ok) {
      const received: Tokens = await response.json();
      // Without a new refresh token, the old one is still valid.
      tokens = { ...tokens, ...received };
      expiresAt = Date.now() + received.expires_in * 1_000;
    }
    // The session has ended. After any other error, such as a 503 or a lost connection, the next call tries again.
    if (response.status === 400 || response.status === 401) tokens = undefined;
  }

  /** Exchanges the code that the provider has sent along with the redirect. */
  async function finish() {
    const query = new URLSearchParams(location.search);
    const code = query.get('code');
    const pending = JSON.parse(sessionStorage.getItem('sign-in') ?? '{}');
    sessionStorage.removeItem('sign-in');
    if (!code || query.get('state') !== pending.state) return;
    await request({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: pending.verifier,
    });
    history.replaceState(null, '', `${redirectUri}${pending.hash}`);
  }

  await finish();
  return {
    isSignedIn: () => tokens !== undefined,

    async start() {
      const [verifier, state] = [randomText(), randomText()];
      sessionStorage.setItem('sign-in', JSON.stringify({ verifier, state, hash: location.hash }));
      const url = new URL(endpoints.authorization_endpoint);
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile offline_access',
        state,
        code_challenge: await sha256(verifier),
        code_challenge_method: 'S256',
      }).toString();
      location.assign(url);
    },

    end() {
      tokens = undefined;
      const url = new URL(endpoints.end_session_endpoint ?? redirectUri);
      url.searchParams.set('client_id', clientId);
      url.searchParams.set('post_logout_redirect_uri', redirectUri);
      location.assign(url);
    },

    /** The client's token supplier: refreshes a minute before the token expires, and after a 401. */
    async token({ forceRefresh }: { forceRefresh: boolean }) {
      const isOld = forceRefresh || Date.now() > expiresAt - 60_000;
      if (tokens?.refresh_token && isOld) {
        // Calls at the same time share one refresh: many providers end a session whose refresh token is used twice.
        refresh ??= request({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
          .catch(() => undefined)
          .finally(() => {
            refresh = undefined;
          });
        await refresh;
      }
      return tokens?.access_token;
    },
  };
}

const encode = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const randomText = () => encode(crypto.getRandomValues(new Uint8Array(32)));
const sha256 = async (text: string) =>
  encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
