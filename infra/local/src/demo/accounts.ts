export interface NewUser {
  email: string;
  firstName: string;
  lastName: string;
}

const localPassword = 'password';

/** Creates an account at the local provider, which sends a webhook to the identity service. */
export async function register(providerUrl: string, { email, firstName, lastName }: NewUser) {
  const response = await fetch(new URL('/users', providerUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: localPassword, firstName, lastName }),
  });
  if (response.status !== 201)
    throw new Error(`The provider did not create ${email}: ${response.status} ${await response.text()}`);
}

/** Returns a token from the local provider's password grant. */
export async function signIn(providerUrl: string, email: string, password = localPassword): Promise<string> {
  const response = await fetch(new URL('/token', providerUrl), {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'lms-local', username: email, password }),
  });
  const { access_token } = Object(await response.json());
  if (typeof access_token !== 'string') throw new Error(`${email} could not sign in: ${response.status}`);
  return access_token;
}
