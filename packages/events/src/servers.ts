export interface Servers {
  servers: string[];
  user?: string;
  pass?: string;
}

/**
 * What the client is told of comma-separated URLs. It does not read the user and the password in them, and fails to
 * resolve a host that follows them; they are taken from the first one, for all.
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
