import { type Client, unwrap } from '@lms/client';
import { element } from './element.ts';
import { createPlayer } from './player.ts';

const saveEverySeconds = 5;

/** A topic: text, video, documents and notes for those who have access; uploads for those who teach it. */
export async function topicPage(client: Client, id: string, mayUpload: boolean): Promise<Node[]> {
  const path = { id };
  const topic = await unwrap(client.GET('/api/education/topics/{id}', { params: { path } }));
  const isOpen = topic.access.granted;
  return [
    element('p', {}, element('a', { href: `#/subjects/${topic.subjectId}` }, '← All topics')),
    element('h1', {}, topic.name),
    element('p', {}, isOpen ? (topic.content ?? '') : `${topic.description}. Enroll in the subject to read more.`),
    ...(isOpen && topic.hasVideo ? [await videoPart(client, id, !mayUpload)] : []),
    ...(isOpen ? topic.documents.map((document) => documentPart(client, document)) : []),
    ...(isOpen && !mayUpload ? [await completionPart(client, id), await notesPart(client, id)] : []),
    ...(mayUpload ? [uploadPart(client, id)] : []),
  ];
}

/** The video continues where the learner left it. */
async function videoPart(client: Client, topicId: string, keepsPosition: boolean): Promise<HTMLElement> {
  const params = { path: { id: topicId } };
  const { video, part, load } = await createPlayer(client, topicId);
  if (keepsPosition) {
    const { positionSeconds } = await unwrap(client.GET('/api/learning/topics/{id}/progress', { params }));
    keepPosition(client, topicId, video, positionSeconds);
  }
  // A listener added after this could miss an event.
  load();
  return part;
}

function keepPosition(client: Client, topicId: string, video: HTMLVideoElement, positionSeconds: number) {
  const params = { path: { id: topicId } };
  const resume = () => {
    if (positionSeconds < video.duration) video.currentTime = positionSeconds;
  };
  video.addEventListener('loadedmetadata', resume, { once: true });
  let saved = positionSeconds;
  const save = () => {
    saved = video.currentTime;
    const body = { positionSeconds: video.currentTime, durationSeconds: video.duration };
    // Without a connection, the next one counts.
    client.PUT('/api/learning/topics/{id}/position', { params, body }).catch(() => undefined);
  };
  video.addEventListener('timeupdate', () => {
    if (Math.abs(video.currentTime - saved) >= saveEverySeconds) save();
  });
  video.addEventListener('pause', save);
}

function documentPart(client: Client, document: { name: string; fileName: string; key: string }): HTMLElement {
  const state = element('span', { className: 'muted' });
  const open = async () => {
    const params = { query: { key: document.key } };
    const { data, error, response } = await client.GET('/api/s3/document/stream', { params, parseAs: 'blob' });
    state.textContent = error?.error ?? '';
    if (!(data instanceof Blob)) return;
    const url = URL.createObjectURL(data);
    // Scripts in other types, such as HTML, would run with the origin of this app.
    if (response.headers.get('content-disposition')?.startsWith('inline')) window.open(url);
    else element('a', { href: url, download: document.fileName }).click();
  };
  const button = element('button', { className: 'quiet', onclick: open }, `Open ${document.name}`);
  return element('p', {}, button, ' ', state);
}

async function completionPart(client: Client, topicId: string): Promise<HTMLElement> {
  const params = { path: { id: topicId } };
  const { completed } = await unwrap(client.GET('/api/learning/topics/{id}/progress', { params }));
  const button = element('button', {}, completed ? 'Completed ✓' : 'Mark as completed');
  button.onclick = async () => {
    await unwrap(client.PUT('/api/learning/topics/{id}/completion', { params }));
    button.textContent = 'Completed ✓';
  };
  return element('p', {}, button);
}

async function notesPart(client: Client, topicId: string): Promise<HTMLElement> {
  const params = { path: { id: topicId } };
  const list = element('ul', {});
  for await (const note of client.each('/api/learning/topics/{id}/notes', { params }))
    list.append(element('li', {}, note.content));
  const text = element('textarea', { rows: 3, required: true });
  const save = async (event: Event) => {
    event.preventDefault();
    const note = await unwrap(
      client.POST('/api/learning/topics/{id}/notes', { params, body: { content: text.value } }),
    );
    list.append(element('li', {}, note.content));
    text.value = '';
  };
  const label = element('label', {}, 'A note', text);
  return element(
    'section',
    {},
    element('h2', {}, 'My notes'),
    list,
    element('form', { onsubmit: save }, label, element('button', {}, 'Save note')),
  );
}

/** The progress of an upload, with a button that ends it. */
function uploadPart(client: Client, topicId: string): HTMLElement {
  const input = element('input', { type: 'file', required: true, id: 'file' });
  const bar = element('progress', { value: 0, max: 1, hidden: true });
  const state = element('p', { className: 'muted' });
  const cancel = element('button', { type: 'button', className: 'quiet', hidden: true }, 'Cancel');

  const send = async (event: Event) => {
    event.preventDefault();
    const file = input.files?.[0];
    if (!file) return;
    const abort = new AbortController();
    cancel.onclick = () => abort.abort();
    bar.hidden = cancel.hidden = false;
    const options = {
      signal: abort.signal,
      onProgress: (sent: number, total: number) => {
        bar.value = sent / total;
        state.textContent = `${Math.floor((100 * sent) / total)} % of ${file.name}`;
      },
    };
    const isVideo = file.type.startsWith('video/');
    // As in lesson.de.vtt.
    const [, language] = /\.([a-z-]+)\.(?:vtt|srt)$/i.exec(file.name) ?? [];
    try {
      const { error } = isVideo
        ? await client.uploadVideo({ topicId, file }, options)
        : language
          ? await client.uploadCaptions({ topicId, language, file }, options)
          : await client.uploadDocument({ topicId, file }, options);
      if (error?.code === 'UNSUPPORTED_FORMAT')
        state.textContent = `Please convert it to ${error.details.accepted.join(', ')}.`;
      else state.textContent = error ? error.error : `${file.name} is uploaded.`;
    } catch {
      state.textContent = abort.signal.aborted ? 'Cancelled.' : 'The connection was lost.';
    }
    bar.hidden = cancel.hidden = true;
  };
  return element(
    'section',
    {},
    element('h2', {}, 'Upload'),
    element(
      'form',
      { onsubmit: send },
      element('label', { htmlFor: 'file' }, 'A video, its captions (lesson.en.vtt) or a document'),
      input,
      element('div', { className: 'row' }, element('button', {}, 'Upload'), cancel),
    ),
    bar,
    state,
  );
}
