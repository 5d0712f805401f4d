/** Where the identity provider signs people in, as its discovery document says. */
export interface SignIn {
  authorizationUrl: string;
  tokenUrl: string;
}

const discoveryMs = 2_000;
const keepMs = 10 * 60_000;

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

/** Asks the provider once in ten minutes; undefined while it does not say. */
export function discoverSignIn(issuer: string) {
  let known: { signIn: SignIn; until: number } | undefined;

  return async (): Promise<SignIn | undefined> => {
    if (known && Date.now() < known.until) return known.signIn;
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(discoveryMs), redirect: 'error' })
      .then((response) => response.json())
      .catch(() => undefined);
    const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = Object(answer);
    if (!isUrl(authorizationUrl) || !isUrl(tokenUrl)) return known?.signIn;
    known = { signIn: { authorizationUrl, tokenUrl }, until: Date.now() + keepMs };
    return known.signIn;
  };
}
