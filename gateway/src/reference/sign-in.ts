/** Where the identity provider signs people in, as its discovery document says. */
export interface SignIn {
  authorizationUrl: string;
  tokenUrl: string;
}

const discoveryMs = 2_000;

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

/** Asks the provider; undefined while it does not say. */
export async function discoverSignIn(issuer: string): Promise<SignIn | undefined> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await fetch(url, { signal: AbortSignal.timeout(discoveryMs), redirect: 'error' })
    .then((response) => response.json())
    .catch(() => undefined);
  const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = Object(document);
  return isUrl(authorizationUrl) && isUrl(tokenUrl) ? { authorizationUrl, tokenUrl } : undefined;
}
