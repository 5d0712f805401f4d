import { html } from 'ghtml';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

const style = `
:root { color-scheme: light dark; --accent: light-dark(#2557d6, #7ea2ff); --soft: light-dark(#5b6675, #9aa5b4); }
body { margin: 0 auto; max-width: 24rem; padding: 15vh 1rem; font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.4rem; }
p, footer { color: var(--soft); }
label { display: block; margin-bottom: 1rem; font-weight: 600; }
input, button { box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .6rem; font: inherit; border-radius: 8px; }
input { border: 1px solid var(--soft); }
button { border: 1px solid var(--accent); cursor: pointer; }
form > button, button[value] { background: var(--accent); color: light-dark(#fff, #10141a); }
.wrong { color: light-dark(#b3261e, #ff8a80); font-weight: 600; }
footer { margin-top: 1.5rem; font-size: .85rem; }
`;

/** A page with content that is HTML already. `html` escapes values, except after an exclamation mark. */
export const renderPage = (title: string, content: string): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'">
<title>${title}</title>
<style>!${style}</style>
</head>
<body>
<h1>${title}</h1>
!${content}
</body>
</html>
`;

export function renderSignIn(email = '', problem?: string): string {
  return renderPage(
    'Sign in',
    html`<p>to continue to Learning Management Service</p>
!${problem && html`<p class="wrong" role="alert">${problem}</p>`}
<form method="post">
<label>E-mail <input name="email" type="email" autocomplete="username" required ${email ? '' : 'autofocus'} value="${email}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required ${email && 'autofocus'}></label>
<button>Sign in</button>
</form>
<footer>Local accounts: <code>admin@lms.test</code>, <code>mentor@lms.test</code>, <code>learner@lms.test</code>, password <code>password</code>. This provider is for development only.</footer>`,
  );
}

/** Asks for confirmation before the session ends; `form` is the provider's, with its CSRF token. */
export function renderSignOut(ctx: KoaContextWithOIDC, form: string): void {
  ctx.body = renderPage(
    'Sign out?',
    html`<p>You will have to sign in again to continue.</p>
!${form}
<button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
<button form="op.logoutForm">Stay signed in</button>`,
  );
}

export function renderSignedOut(ctx: KoaContextWithOIDC): void {
  ctx.body = renderPage('Done', '<p>You can close this page.</p>');
}

export function renderError(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): void {
  ctx.type = 'html';
  ctx.body = renderPage(
    'Something went wrong',
    html`<p class="wrong">${error_description ?? 'The request could not be handled.'}</p>
<footer><code>${error}</code></footer>`,
  );
}
