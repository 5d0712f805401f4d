import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Principal } from '@lms/contracts/passport';
import { passportHeaders } from '@lms/testing/principals';
import type { Media } from './start-media.ts';

const boundary = 'test-boundary';

export interface SlowUpload {
  request: ClientRequest;
  /** Resolves when the socket has accepted the bytes. */
  write: (bytes: Uint8Array | string) => Promise<void>;
  /** Ends the form and resolves with the response. */
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

/** Starts an upload that is sent piece by piece and may be interrupted anywhere. */
export function startUpload(
  { port }: Pick<Media, 'port'>,
  user: Principal,
  target: { method?: string; path: string; headers?: Record<string, string> },
): SlowUpload {
  const { method = 'POST', path, headers = {} } = target;
  const sending = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...passportHeaders(user), ...headers },
  });
  const response = (async () => {
    const [incoming]: IncomingMessage[] = await once(sending, 'response');
    if (!incoming) throw new Error('no response');
    const body = await text(incoming);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: JSON.parse(body) };
  })();
  response.catch(() => undefined);
  sending.on('error', () => undefined);

  const write = (bytes: Uint8Array | string) =>
    new Promise<void>((resolve, reject) => void sending.write(bytes, (error) => (error ? reject(error) : resolve())));
  return {
    request: sending,
    write,
    response,
    finish() {
      sending.end(lastBoundary);
      return response;
    },
  };
}

/** Starts the upload of a video, and sends its first bytes. */
export async function startVideoUpload(media: Pick<Media, 'port'>, user: Principal, topicId: string, head: Uint8Array) {
  const upload = startUpload(media, user, { method: 'PUT', path: `/api/admin/education/topics/${topicId}/video` });
  await upload.write(filePart('video', 'lesson.mp4'));
  await upload.write(head);
  return upload;
}
