import { type Result, toResult } from './failures.ts';
import type { operations } from './interface.ts';
import type { Send } from './send.ts';

type Created = operations['uploadDocument']['responses'][201]['content']['application/json'];
type RosterImported = operations['importRoster']['responses'][200]['content']['application/json'];
type CurriculumImport = operations['createImport'];
type ImportStarted = CurriculumImport['responses'][200 | 202]['content']['application/json'];
type ImportQuery = NonNullable<CurriculumImport['parameters']['query']>;
type Captioned = operations['uploadCaptions']['responses'][200]['content']['application/json'];
type Replaced = operations['replaceVideo']['responses'][200]['content']['application/json'];

export interface UploadOptions {
  /** Called with the number of bytes sent and the size of the file. */
  onProgress?: (sent: number, total: number) => void;
  signal?: AbortSignal;
}

export interface DocumentUpload {
  topicId: string;
  file: File;
  /** The name of the file by default. */
  name?: string;
  description?: string;
}

export interface VideoUpload {
  topicId: string;
  file: File;
}

export interface CaptionUpload {
  topicId: string;
  /** A BCP 47 tag, such as `de` or `pt-BR`. */
  language: string;
  /** WebVTT or SubRip. */
  file: File;
  /** The name of the language by default. */
  label?: string;
  /** `captions` by default. */
  kind?: Captioned['data']['kind'];
  default?: boolean;
}

export interface RosterUpload {
  /** CSV with the columns email, userId, subjectId, subjectExternalId and expiresAt. */
  file: File;
  /** The same results, but nothing is changed. */
  dryRun?: boolean;
}

export interface CurriculumUpload extends ImportQuery {
  /** `.json`, `.zip`, `.csv` or `.imscc`: the name has to end with its format. */
  file: File;
}

interface Transport {
  baseUrl: string;
  send: Send;
  fetch: (request: Request) => Promise<Response>;
}

interface Upload extends UploadOptions {
  method: string;
  url: URL;
  form: FormData;
  size: number;
  /** By default a PUT is, and a POST is not. */
  isRepeatable?: boolean;
}

export interface Uploads {
  /** Uploads a document to a topic. */
  uploadDocument(document: DocumentUpload, options?: UploadOptions): Promise<Result<Created>>;
  /** Sets or replaces the video of a topic. */
  uploadVideo(video: VideoUpload, options?: UploadOptions): Promise<Result<Replaced>>;
  /** Adds or replaces captions of the video of a topic. */
  uploadCaptions(captions: CaptionUpload, options?: UploadOptions): Promise<Result<Captioned>>;
  /** Starts the import of a curriculum; a dry run has ended with the response. */
  importCurriculum(curriculum: CurriculumUpload, options?: UploadOptions): Promise<Result<ImportStarted>>;
  /** Enrolls the users of a CSV file; the result has an entry for each line. */
  importRoster(roster: RosterUpload, options?: UploadOptions): Promise<Result<RosterImported>>;
}

/** The URL of a path of the API; the base URL may have a path, too. */
export const apiUrl = (baseUrl: string, path: string) => new URL(baseUrl.replace(/\/+$/, '') + path);

export function createUploads({ baseUrl, send, fetch }: Transport): Uploads {
  async function upload<T>(upload: Upload): Promise<Result<T>> {
    const attempt = (token: string | undefined) => {
      const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
      return typeof XMLHttpRequest === 'undefined'
        ? sendStream(upload, headers, fetch)
        : sendWithProgressEvents(upload, headers);
    };
    const { isRepeatable = upload.method === 'PUT', signal } = upload;
    return toResult<T>(await send(attempt, { isRepeatable, signal }));
  }

  return {
    uploadDocument({ topicId, file, ...metadata }, options) {
      const form = new FormData();
      form.append('topicId', topicId);
      form.append('metadata', JSON.stringify(metadata));
      form.append('file', file);
      const url = apiUrl(baseUrl, '/api/s3/document/upload');
      return upload<Created>({ ...options, method: 'POST', url, form, size: file.size });
    },

    uploadVideo({ topicId, file }, options) {
      const form = new FormData();
      form.append('video', file);
      const url = apiUrl(baseUrl, `/api/admin/education/topics/${topicId}/video`);
      return upload<Replaced>({ ...options, method: 'PUT', url, form, size: file.size });
    },

    uploadCaptions({ topicId, language, file, ...fields }, options) {
      const form = new FormData();
      for (const [name, value] of definedEntries(fields)) form.append(name, value);
      form.append('captions', file);
      const path = `/api/admin/education/topics/${topicId}/video/captions/${encodeURIComponent(language)}`;
      return upload<Captioned>({ ...options, method: 'PUT', url: apiUrl(baseUrl, path), form, size: file.size });
    },

    importCurriculum({ file, ...query }, options) {
      const form = new FormData();
      form.append('file', file);
      const url = apiUrl(baseUrl, '/api/admin/education/imports');
      for (const [name, value] of definedEntries(query)) url.searchParams.set(name, value);
      return upload<ImportStarted>({ ...options, method: 'POST', url, form, size: file.size });
    },

    importRoster({ file, dryRun = false }, options) {
      const form = new FormData();
      form.append('file', file);
      const url = apiUrl(baseUrl, `/api/admin/enrollment/imports?dryRun=${dryRun}`);
      // A repetition leaves what is enrolled as it is.
      return upload<RosterImported>({ ...options, method: 'POST', url, form, size: file.size, isRepeatable: true });
    },
  };
}

/** A field that is undefined is one that is not given. */
export const definedEntries = (fields: object) =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)] as const);

/** As much of the browsers' XMLHttpRequest as is used here. */
declare class XMLHttpRequest {
  status: number;
  statusText: string;
  response: string;
  upload: { onprogress: (event: { loaded: number }) => void };
  onload: () => void;
  onerror: () => void;
  onabort: () => void;
  onloadend: () => void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: FormData): void;
  abort(): void;
}

/** Browsers report upload progress only for XMLHttpRequest; Chromium refuses to stream a body over HTTP/1.1. */
function sendWithProgressEvents(upload: Upload, headers: Record<string, string>): Promise<Response> {
  const { method, url, form, size, onProgress, signal } = upload;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, url.href);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    // The size of the form is a little larger than the file's.
    request.upload.onprogress = ({ loaded }) => onProgress?.(Math.min(loaded, size), size);
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split('\r\n');
      const received = new Headers(lines.map((line) => split(line)));
      resolve(new Response(request.response, { status: request.status, headers: received }));
    };
    request.onerror = () => reject(new TypeError(`${method} ${url.href} failed`));
    request.onabort = () => reject(signal?.reason);
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    request.send(form);
  });
}

const split = (line: string): [string, string] => {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
};

function sendStream(upload: Upload, headers: Record<string, string>, fetch: Transport['fetch']): Promise<Response> {
  const { method, url, form, size, onProgress, signal } = upload;
  const encoded = new Response(form);
  let sent = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength;
      onProgress?.(Math.min(sent, size), size);
      controller.enqueue(chunk);
    },
  });
  const request = new Request(url, {
    method,
    headers: { ...headers, 'content-type': encoded.headers.get('content-type') ?? '' },
    body: encoded.body?.pipeThrough(counter) ?? null,
    // Required by the fetch standard for a streamed body, but missing in some type definitions.
    ...{ duplex: 'half' },
    ...(signal && { signal }),
  });
  return fetch(request);
}
