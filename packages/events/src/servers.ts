export interface Servers {
  servers: string[];
  user?: string;
  pass?: string;
}

/**
 * Parses comma-separated URLs into the client's options. The client does not support credentials in URLs, so those of the
 * first URL are passed separately and used for all servers.
 */
export function parseServers(text: string): Servers {
  const urls = text.split(',').map((url) => new URL(url.trim()));
  const [first] = urls;
  const credentials = first?.username
    ? { user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) }
    : {};
  return { servers: urls.map(withoutCredentials), ...credentials };
}

function withoutCredentials(url: URL): string {
  return url.username ? url.href.replace(`${url.username}:${url.password}@`, '') : url.href;
}
