import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { type Html, html, page, pageHeaders, trustHtml } from './html.ts';

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
${problem && html`<p class="wrong" role="alert">${problem}</p>`}
<form method="post" action="${action}">
<label>E-mail <input name="email" type="email" autocomplete="username" required ${!email && 'autofocus'} value="${email}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required ${Boolean(email) && 'autofocus'}></label>
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
${trustHtml(form)}
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

function sendPage(ctx: KoaContextWithOIDC, title: string, content: Html): void {
  ctx.set(pageHeaders);
  ctx.type = 'html';
  ctx.body = page(title, content);
}
