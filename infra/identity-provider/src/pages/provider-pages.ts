import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { type Html, html, trustHtml } from './html.ts';
import { page, pageHeaders } from './layout.ts';

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
