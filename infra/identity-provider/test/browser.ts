import { createHash, randomBytes } from 'node:crypto';

export interface Page {
  status: number;
  url: string;
  text: string;
}

export interface Browser {
  /** Follows redirects as a browser does, up to the first URL outside the provider. */
  open(url: string, init?: RequestInit): Promise<Page>;
  submit(page: Page, fields: Record<string, string>): Promise<Page>;
}

/** A minimal browser: cookies by name and path, redirects, the only form of a page, and scripts that submit it. */
export function createBrowser(home: string): Browser {
  const cookies = new Map<string, { value: string; path: string }>();

  async function open(url: string, init: RequestInit = {}): Promise<Page> {
    if (!url.startsWith(home)) return { status: 0, url, text: '' };
    const { pathname } = new URL(url);
    const cookie = [...cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name.split('@')[0]}=${value}`)
      .join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { accept: 'text/html', cookie } });
    for (const line of response.headers.getSetCookie()) storeCookie(line);
    const location = response.headers.get('location');
    if (location) return open(new URL(location, url).href);
    const page = { status: response.status, url, text: await response.text() };
    return page.text.includes('document.forms[0].submit()') ? submit(page, {}) : page;
  }

  function storeCookie(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const [, path = '/'] = /; path=([^;]+)/i.exec(line) ?? [];
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(`${name}@${path}`);
    else cookies.set(`${name}@${path}`, { value, path });
  }

  async function submit(page: Page, fields: Record<string, string>): Promise<Page> {
    const [, action = ''] = /<form [^>]*action="([^"]+)"/.exec(page.text) ?? [];
    const body = new URLSearchParams(fields);
    for (const [, name = '', value = ''] of page.text.matchAll(
      /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
    )) {
      body.set(name, value);
    }
    return open(new URL(action, page.url).href, { method: 'POST', body });
  }

  return { open, submit };
}

export interface Attempt {
  url: string;
  verifier: string;
  redirectUri: string;
}

/** An authorization request with PKCE. */
export function beginSignIn(
  home: string,
  given: { redirectUri?: string; extra?: Record<string, string> } = {},
): Attempt {
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = given.redirectUri ?? 'http://localhost:5173/docs/callback';
  const query = new URLSearchParams({
    client_id: 'lms-local',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: 'some state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...given.extra,
  });
  return { url: `${home}/authorize?${query}`, verifier, redirectUri };
}
