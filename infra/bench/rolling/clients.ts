import { randomBytes } from 'node:crypto';
import { FormData } from 'undici';
import type { Load } from './load.ts';
import type { SeedData } from './read-seed-data.ts';

const many = (count: number, start: () => Promise<unknown>) => Array.from({ length: count }, start);

/** Starts clients of all kinds, each with one request after the other. */
export function startClients({ send, repeat }: Load, { admin, learner, levelId, topicId, videoBytes }: SeedData) {
  const topic = `/education/topics/${topicId}`;
  const learning = `/learning/topics/${topicId}`;
  const visit = async () => {
    await send('tree', { path: '/education/tree' });
    await send('grades', { path: `/education/levels/${levelId}/grades` });
    await send('search', { path: '/education/search?q=numbers' });
  };
  const read = async () => {
    await send('topic', { path: topic, token: learner });
    await send('profile', { path: '/auth/profile', token: learner });
    await send('progress', { path: '/learning/progress', token: learner });
    const body = { positionSeconds: 3, durationSeconds: 9 };
    await send('position', { method: 'PUT', path: `${learning}/position`, token: learner, body });
  };
  const note = {
    method: 'POST',
    path: `${learning}/notes`,
    token: learner,
    body: { content: 'Carry the one.' },
  } as const;
  const upload = { method: 'POST', path: '/s3/document/upload', token: admin } as const;
  return [
    ...many(3, () => repeat(visit, 100)),
    ...many(3, () => repeat(read, 100)),
    ...many(2, () => repeat(() => send('note', note), 200)),
    repeat(() => send('video', { path: `${topic}/video`, token: learner, bytes: videoBytes }), 300),
    repeat(() => send('upload', { ...upload, form: documentForm(topicId) }), 1_000),
  ];
}

/** The form of a document upload, as a browser sends it. */
function documentForm(topicId: string): FormData {
  const form = new FormData();
  form.set('topicId', topicId);
  form.set('metadata', JSON.stringify({ name: 'Exercises' }));
  form.set('file', new Blob([randomBytes(300_000)]), 'exercises.bin');
  return form;
}
