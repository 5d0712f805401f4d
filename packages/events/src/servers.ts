export interface Servers {
  servers: string[];
  user?: string;
  pass?: string;
  /** Present if TLS is required: the client then refuses a server without it before it sends the credentials. */
  tls?: object;
}

/**
 * Parses comma-separated URLs into the client's options. The client does not support credentials in URLs, so those of the
 * first URL are passed separately and used for all servers, as is TLS if a URL requires it: the client ignores their schemes.
 */
export function parseServers(text: string): Servers {
  const urls = text.split(',').map((url) => new URL(url.trim()));
  const [first] = urls;
  const credentials = first?.username
    ? { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) }
    : {};
  const tls = urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} };
  return { servers: urls.map(withoutCredentials), ...credentials, ...tls };
}

function withoutCredentials(url: URL): string {
  return url.username ? url.href.replace(`${url.username}:${url.password}@`, '') : url.href;
}
