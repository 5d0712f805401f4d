function locate(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run these tests with: npm test -- packages/client/acceptance`);
  return value;
}

/** Where the running system is; `npm test` starts one and sets these variables. */
export const gatewayUrl = locate('ACCEPTANCE_GATEWAY_URL');
export const providerUrl = locate('ACCEPTANCE_IDP_URL');

export async function tokenOf(username: string): Promise<string> {
  const form = { grant_type: 'password', client_id: 'lms-local', username, password: 'password' };
  const response = await fetch(`${providerUrl}/token`, { method: 'POST', body: new URLSearchParams(form) });
  return String(Object(await response.json()).access_token);
}

/** Creates an account at the provider and returns its e-mail address. */
export async function register(firstName: string): Promise<string> {
  const email = `${firstName}-${process.pid}-${Date.now().toString(36)}@lms.test`.toLowerCase();
  const response = await fetch(`${providerUrl}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'password', firstName, lastName: 'Example' }),
  });
  if (response.status !== 201) throw new Error(`the provider responded with ${response.status}`);
  return email;
}
