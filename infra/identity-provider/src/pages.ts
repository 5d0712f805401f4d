import { html } from 'ghtml';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

// `html` escapes values, except after an exclamation mark.
const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d5dae1; --card: #fff; --back: #f2f4f7; --accent: #2557d6; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebf0; --soft: #9aa5b4; --line: #39424f; --card: #1d232c; --back: #12161c; --accent: #7ea2ff; --wrong: #ff8a80; }
  button { color: #10141a !important; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 24rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 .25rem; font-size: 1.4rem; }
p { margin: 0 0 1rem; color: var(--soft); }
label { display: block; margin-bottom: 1rem; font-weight: 600; }
input { display: block; width: 100%; margin-top: .25rem; padding: .6rem .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px; }
button { width: 100%; padding: .65rem; font: inherit; font-weight: 600; color: #fff; background: var(--accent); border: 0; border-radius: 8px; cursor: pointer; }
button + button { margin-top: .5rem; color: var(--ink) !important; background: transparent; border: 1px solid var(--line); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wrong { color: var(--wrong); font-weight: 600; }
footer { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .85rem; color: var(--soft); }
code { font-size: .95em; }
`;

/** The provider checks redirects, so the policy does not restrict form targets. */
export const pageHeaders = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A page with content that is HTML already. */
export const page = (title: string, content: string): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>!${style}</style>
</head>
<body><main>
!${content}
</main></body>
</html>
`;

interface SignIn {
  /** The URL that the form is sent to. */
  action: string;
  clientName: string;
  email?: string | undefined;
  problem?: string | undefined;
}

export function renderSignIn({ action, clientName, email = '', problem }: SignIn): string {
  return page(
    'Sign in',
    html`<h1>Sign in</h1>
<p>to continue to ${clientName}</p>
!${problem && html`<p class="wrong" role="alert">${problem}</p>`}
<form method="post" action="${action}">
<label>E-mail <input name="email" type="email" autocomplete="username" required ${email ? '' : 'autofocus'} value="${email}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required ${email && 'autofocus'}></label>
<button>Sign in</button>
</form>
<footer>Local accounts: <code>admin@lms.test</code>, <code>mentor@lms.test</code>, <code>learner@lms.test</code>, password <code>password</code>. This provider is for development only.</footer>`,
  );
}

/** Asks for confirmation before the session ends; `form` is the provider's, with its CSRF token. */
export function renderSignOut(ctx: KoaContextWithOIDC, form: string): void {
  sendPage(
    ctx,
    'Sign out',
    html`<h1>Sign out?</h1>
<p>You will have to sign in again to continue.</p>
!${form}
<button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button form="op.logoutForm">Stay signed in</button>`,
  );
}

export function renderSignedOut(ctx: KoaContextWithOIDC): void {
  sendPage(ctx, 'Done', html`<h1>Done</h1><p>You can close this page.</p>`);
}

export function renderError(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): void {
  sendPage(
    ctx,
    'Something went wrong',
    html`<h1>Something went wrong</h1>
<p class="wrong">${error_description ?? 'The request could not be handled.'}</p>
<footer><code>${error}</code></footer>`,
  );
}

function sendPage(ctx: KoaContextWithOIDC, title: string, content: string): void {
  ctx.set(pageHeaders);
  ctx.type = 'html';
  ctx.body = page(title, content);
}
