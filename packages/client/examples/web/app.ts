import { ApiError, type Client, createClient, unwrap } from '@lms/client';
import { createResumableUploads } from '@lms/client/resumable';
import { coursesPage, subjectPage } from './courses.ts';
import { element } from './element.ts';
import { reviewPage } from './review.ts';
import { createSignIn } from './sign-in.ts';
import { topicPage } from './topic.ts';

const setting = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="lms-${name}"]`)?.content ?? '';
const find = (id: string) => document.getElementById(id) ?? document.body;
const notice = find('notice');

function show(text: string, isError = false) {
  notice.textContent = text;
  notice.className = isError ? 'error' : '';
}

const signIn = await createSignIn({ issuer: setting('issuer'), clientId: setting('client-id') });
const connection = { baseUrl: setting('api'), token: signIn.token };
const calls = createClient({
  ...connection,
  onWait: ({ seconds }) => show(`The server is busy; trying again in ${seconds} s …`),
});
// Large files go on after a lost connection.
const largeBytes = 8 * 1024 * 1024;
const resumable = createResumableUploads(connection);
const uploadsOf = (file: File) => (file.size > largeBytes ? resumable : calls);
const client: Client = {
  ...calls,
  uploadVideo: (video, options) => uploadsOf(video.file).uploadVideo(video, options),
  uploadDocument: (document, options) => uploadsOf(document.file).uploadDocument(document, options),
};
const user = signIn.isSignedIn() ? await unwrap(client.GET('/api/auth/profile')).catch(fail) : undefined;
const isAdmin = user?.roles.includes('ADMIN') ?? false;
const mayUpload = isAdmin || (user?.roles.includes('MENTOR') ?? false);

find('menu').append(
  element('a', { href: '#/' }, 'Courses'),
  isAdmin ? element('a', { href: '#/review' }, 'Enrollment requests') : '',
);
find('account').append(
  user ? element('span', {}, `${user.email} `) : '',
  user
    ? element('button', { className: 'quiet', onclick: signIn.end }, 'Sign out')
    : element('button', { onclick: signIn.start }, 'Sign in'),
);

function route(): Promise<Node[]> {
  const [, page, id = ''] = location.hash.split('/');
  if (page === 'subjects') return subjectPage(client, id, user !== undefined);
  if (page === 'topics') return topicPage(client, id, mayUpload);
  if (page === 'review') return reviewPage(client);
  return coursesPage(client);
}

async function render() {
  const { hash } = location;
  show('');
  const nodes = await route().catch(fail);
  if (nodes && hash === location.hash) find('main').replaceChildren(...nodes);
}

function fail(reason: unknown): undefined {
  show(describe(reason), true);
}

function describe(reason: unknown): string {
  if (!(reason instanceof ApiError)) return `The service cannot be reached: ${reason}`;
  const { failure } = reason;
  if (failure.code === 'RATE_LIMITED')
    return `Too many requests. Try again at ${new Date(failure.details.resetAt).toLocaleTimeString()}.`;
  if (failure.code === 'QUOTA_EXCEEDED')
    return `The quota of the plan ${failure.details.plan} is used up until ${failure.details.resetsAt}.`;
  return `${failure.error} (request ${failure.requestId})`;
}

addEventListener('hashchange', render);
addEventListener('unhandledrejection', ({ reason }) => fail(reason));
await render();
