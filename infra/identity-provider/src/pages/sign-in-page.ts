import { html } from './html.ts';
import { page } from './layout.ts';

export interface SignIn {
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
