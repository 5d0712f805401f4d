import type { components, operations } from './interface.ts';

type Failure = components['schemas']['Failure'];
type Created = operations['uploadDocument']['responses'][201]['content']['application/json'];
type Replaced = operations['replaceVideo']['responses'][200]['content']['application/json'];

export interface UploadOptions {
  baseUrl: string;
  token: string;
  /** Called with the number of bytes sent and the size of the file. */
  onProgress?: (sent: number, total: number) => void;
  signal?: AbortSignal;
  fetch?: (request: Request) => Promise<Response>;
}

export interface UploadResponse<T> {
  status: number;
  body: T | Failure;
}

export interface DocumentUpload {
  topicId: string;
  file: File;
  name?: string;
  description?: string;
}

/** Uploads a document to a topic. */
export function uploadDocument(
  { topicId, file, ...metadata }: DocumentUpload,
  options: UploadOptions,
): Promise<UploadResponse<Created>> {
  const form = new FormData();
  form.append('topicId', topicId);
  form.append('metadata', JSON.stringify(metadata));
  form.append('file', file);
  return send('POST', '/api/s3/document/upload', form, file.size, options);
}

/** Sets or replaces the video of a topic. */
export function uploadVideo(topicId: string, file: File, options: UploadOptions): Promise<UploadResponse<Replaced>> {
  const form = new FormData();
  form.append('video', file);
  return send('PUT', `/api/admin/education/topics/${topicId}/video`, form, file.size, options);
}

async function send<T>(
  method: string,
  path: string,
  form: FormData,
  total: number,
  options: UploadOptions,
): Promise<UploadResponse<T>> {
  const { baseUrl, token, onProgress, signal, fetch = globalThis.fetch } = options;
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  let sent = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength;
      onProgress?.(Math.min(sent, total), total);
      controller.enqueue(chunk);
    },
  });
  const request = new Request(new URL(path, baseUrl), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: encoded.body?.pipeThrough(counter) ?? null,
    // Required by the fetch standard for a streamed body, but missing in some type definitions.
    ...{ duplex: 'half' },
    ...(signal && { signal }),
  });
  const response = await fetch(request);
  return { status: response.status, body: await read<T>(response) };
}

// The type of the body is not validated, as in openapi-fetch.
const read = async <T>(response: Response): Promise<T | Failure> => (await response.json()) as T | Failure;
