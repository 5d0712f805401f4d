import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A setting of the running system, which `npm test` starts. */
function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the acceptance tests with: npm test`);
  return value;
}

export const gatewayUrl = required('ACCEPTANCE_GATEWAY_URL');
export const providerUrl = required('ACCEPTANCE_IDP_URL');
export const dataDirectory = required('ACCEPTANCE_DATA_DIR');

/** Reads `stack.json`, which has the addresses and process ids. */
export async function readStackFile(): Promise<Record<string, { url: string; pid: number }>> {
  return JSON.parse(await readFile(join(dataDirectory, 'stack.json'), 'utf8'));
}

export interface Call {
  method?: string;
  token?: string;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

export interface CallResponse {
  status: number;
  headers: Headers;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a black-box test reads responses by name, as a script would
  body: any;
}

/** Sends a request through the gateway. */
export async function call(
  path: string,
  { method = 'GET', token, json, form, headers = {} }: Call = {},
): Promise<CallResponse> {
  const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(new URL(path, gatewayUrl), {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && bytes.length > 0;
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
}

let userCount = 0;

/** Creates an account at the provider and signs it in. */
export async function createUser(name: string) {
  userCount += 1;
  const email = `${name}-${process.pid}-${Date.now().toString(36)}-${userCount}@lms.test`;
  const response = await fetch(new URL('/users', providerUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'password', firstName: name, lastName: 'Acceptance' }),
  });
  const { id } = Object(await response.json());
  if (response.status !== 201) throw new Error(`the provider returned ${response.status}`);
  return { identityProviderId: String(id), email, token: await tokenOf(email) };
}

/** Requests a token from the provider. */
export async function tokenOf(email: string): Promise<string> {
  const response = await fetch(new URL('/token', providerUrl), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'lms-local',
      username: email,
      password: 'password',
    }),
  });
  const { access_token } = Object(await response.json());
  if (typeof access_token !== 'string') throw new Error(`no token for ${email}: ${response.status}`);
  return access_token;
}

export const adminToken = () => tokenOf('admin@lms.test');

/** A name that no other test uses. */
export const unique = (name: string) =>
  `${name} ${process.pid} ${Date.now().toString(36)} ${Math.random().toString(36).slice(2, 7)}`;

/** Creates a level with a grade, a subject (with the mentor, if given) and one topic. */
export async function createCourse(token: string, mentor?: { identityProviderId: string; email: string }) {
  const create = async (kind: string, json: object) => {
    const { status, body } = await call(`/api/admin/education/${kind}`, { method: 'POST', token, json });
    if (status !== 201) throw new Error(`${kind}: ${status} ${JSON.stringify(body)}`);
    return body.data;
  };
  const level = await create('levels', { name: unique('Level'), description: 'd' });
  const grade = await create('grades', {
    name: 'Grade',
    description: 'd',
    level: 'primary',
    educationLevelId: level.id,
  });
  const subject = await create('subjects', {
    name: 'Subject',
    description: 'd',
    gradeId: grade.id,
    ...(mentor && { mentorId: mentor.identityProviderId, mentorEmail: mentor.email }),
  });
  const topic = await create('topics', {
    name: 'Topic',
    description: 'd',
    content: 'The protected content',
    subjectId: subject.id,
  });
  return { level, grade, subject, topic };
}
