import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Principal } from '@lms/contracts/passport';
import { passportHeaders } from '@lms/testing/principals';
import type { Media } from './start-media.ts';

const boundary = 'a-boundary-of-the-test';

export interface SlowUpload {
  request: ClientRequest;
  /** Resolves when these bytes were taken by the socket. */
  write: (bytes: Uint8Array | string) => Promise<void>;
  /** Ends the form properly and resolves with the answer. */
  finish: () => Promise<UploadResponse>;
  response: Promise<UploadResponse>;
}
export interface UploadResponse {
  status: number;
  headers: IncomingMessage['headers'];
  body: { code?: string; data?: { id: string }; details?: unknown };
}

export const openTextPart = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
export const textPart = (name: string, value: string) => `${openTextPart(name)}${value}\r\n`;
export const filePart = (name: string, fileName: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n\r\n`;
export const lastBoundary = `\r\n--${boundary}--\r\n`;

/** An upload that is sent piece by piece, to be interrupted wherever a test likes. */
export function startUpload(
  { port }: Pick<Media, 'port'>,
  who: Principal,
  target: { method?: string; path: string; headers?: Record<string, string> },
): SlowUpload {
  const { method = 'POST', path, headers = {} } = target;
  const sending = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...passportHeaders(who), ...headers },
  });
  const answer = (async () => {
    const [response]: IncomingMessage[] = await once(sending, 'response');
    if (!response) throw new Error('no answer');
    const body = await text(response);
    return { status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(body) };
  })();
  answer.catch(() => undefined);
  sending.on('error', () => undefined);

  const write = (bytes: Uint8Array | string) =>
    new Promise<void>((resolve, reject) => void sending.write(bytes, (error) => (error ? reject(error) : resolve())));
  return {
    request: sending,
    write,
    response: answer,
    finish() {
      sending.end(lastBoundary);
      return answer;
    },
  };
}

/** An upload of a video that has sent its first bytes. */
export async function startVideoUpload(media: Pick<Media, 'port'>, who: Principal, topicId: string, head: Uint8Array) {
  const upload = startUpload(media, who, { method: 'PUT', path: `/api/admin/education/topics/${topicId}/video` });
  await upload.write(filePart('video', 'lesson.mp4'));
  await upload.write(head);
  return upload;
}
