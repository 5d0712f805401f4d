const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** An address of this machine on any port, without credentials or fragment. */
export function isLoopbackUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  if (url.username || url.password || value.includes('#')) return false;
  return (url.protocol === 'http:' || url.protocol === 'https:') && loopbackHosts.has(url.hostname);
}

/**
 * Whether a Host header names this machine or one of `names`. Other names are not accepted: a site whose domain resolves
 * to this machine would otherwise have the provider's origin in a developer's browser (DNS rebinding).
 */
export function isOwnHost(header: string | undefined, names: readonly string[]): boolean {
  const url = `http://${header}`;
  if (!header || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return loopbackHosts.has(hostname) || names.includes(hostname);
}

export type Redirects = ReturnType<typeof allowRedirects>;

/** Allows loopback addresses and the listed ones. */
export function allowRedirects(listed: readonly string[]) {
  const origins = new Set(listed.filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri).origin));
  return {
    allowsRedirect: (uri: string) => isLoopbackUrl(uri) || listed.includes(uri),
    allowsOrigin: (origin: string) => isLoopbackUrl(origin) || (origin !== 'null' && origins.has(origin)),
  };
}
