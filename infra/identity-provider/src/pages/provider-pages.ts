import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { type Html, html, trustHtml } from './html.ts';
import { page, pageHeaders } from './layout.ts';

/** Asks before the session ends; `form` is the provider's, with the token that protects it. */
export function renderSignOut(ctx: KoaContextWithOIDC, form: string): void {
  answer(
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
  answer(ctx, 'Done', html`<h1>Done</h1><p>You can close this page.</p>`);
}

export function renderError(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): void {
  answer(
    ctx,
    'Something went wrong',
    html`<h1>Something went wrong</h1>
<p class="wrong">${error_description ?? 'The request could not be handled.'}</p>
<footer><code>${error}</code></footer>`,
  );
}

function answer(ctx: KoaContextWithOIDC, title: string, content: Html): void {
  ctx.set(pageHeaders);
  ctx.type = 'html';
  ctx.body = page(title, content);
}
