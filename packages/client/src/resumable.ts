import { DetailedError, defaultOptions, type PreviousUpload, Upload } from 'tus-js-client';
import { type Result, toFailure, toResult } from './failures.ts';
import { createSend, pause, type SendOptions } from './send.ts';
import {
  apiUrl,
  type DocumentUpload,
  definedEntries,
  type UploadOptions,
  type Uploads,
  type VideoUpload,
} from './upload.ts';

export interface ResumableOptions extends Pick<SendOptions, 'token'> {
  /** The URL of the gateway, such as `https://lms.example`. */
  baseUrl: string;
  /** The pauses before the attempts to go on after a failure; they begin again whenever bytes arrive. */
  retryDelaysMs?: number[];
  /** The maximum size of a request; by default a browser sends all in one, and Node 32 MiB at a time. */
  chunkBytes?: number;
}

interface Resumable extends UploadOptions {
  path: string;
  file: File;
  metadata: Record<string, string>;
}

const defaultDelaysMs = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000];
const nodeChunkBytes = 32 * 1024 * 1024;
const isBrowser = typeof XMLHttpRequest !== 'undefined';
declare const XMLHttpRequest: unknown;

/**
 * Uploads that go on after a lost connection, and in browsers after a reload of the page: `uploadVideo` and `uploadDocument`
 * as the client has them. They need the package `tus-js-client`. Aborting one deletes what the server has received, in the
 * background; a file that is attached already stays.
 */
export function createResumableUploads({
  baseUrl,
  token,
  retryDelaysMs = defaultDelaysMs,
  chunkBytes = isBrowser ? Number.POSITIVE_INFINITY : nodeChunkBytes,
}: ResumableOptions): Pick<Uploads, 'uploadDocument' | 'uploadVideo'> {
  const send = createSend({ ...(token && { token }), retries: 0 });

  async function upload<T>(given: Resumable): Promise<Result<T>> {
    return toResult<T>(await sendFile(given));
  }

  async function sendFile({ path, file, metadata, onProgress, signal }: Resumable): Promise<Response> {
    signal?.throwIfAborted();
    const endpoint = apiUrl(baseUrl, path).href;
    let isRejected = false;
    let isRenewed = false;
    let failedStatus = 0;

    return new Promise((resolve, reject) => {
      const upload = new Upload(file, {
        endpoint,
        metadata: { filename: file.name, ...metadata },
        retryDelays: retryDelaysMs,
        chunkSize: chunkBytes,
        // Another topic, name or description is another upload.
        fingerprint: async () =>
          ['lms', endpoint, file.name, file.size, file.lastModified, JSON.stringify(metadata)].join('-'),
        ...(!isBrowser && { fileReader: { openFile: async () => sourceOf(file) }, storeFingerprintForResuming: false }),
        async onBeforeRequest(request) {
          const current = await token?.({ forceRefresh: isRejected });
          if (request.getMethod() !== 'DELETE') signal?.throwIfAborted();
          isRejected = false;
          failedStatus = 0;
          if (current) request.setHeader('Authorization', `Bearer ${current}`);
        },
        onAfterResponse(request, response) {
          const status = response.getStatus();
          const mayGoOn = isTemporary(status) || (status === 401 && token && !isRenewed);
          failedStatus = request.getMethod() === 'HEAD' && mayGoOn ? status : 0;
          // Otherwise tus-js-client would begin a new upload, for example during a restart of the server.
          if (failedStatus) throw new Error(`the server returned ${status}`);
        },
        onShouldRetry({ originalResponse }) {
          const status = originalResponse?.getStatus() ?? failedStatus;
          if (status === 401 && token && !isRenewed) {
            isRejected = isRenewed = true;
            return true;
          }
          if (status === 0 || status === 409 || status === 423) return true;
          return isTemporary(status) && !isQuotaUsedUp(originalResponse?.getBody());
        },
        onProgress(sent, total) {
          isRenewed = false;
          onProgress?.(sent, total);
        },
        onSuccess: () => settle(readResult(upload.url ?? '')),
        onError: (error) => {
          const response = error instanceof DetailedError && toResponse(error);
          settle(response ? Promise.resolve(response) : Promise.reject(error));
        },
      });
      // Until its URL is forgotten, the same call goes on with this upload.
      async function forget() {
        for (const { uploadUrl, urlStorageKey } of await upload.findPreviousUploads())
          if (uploadUrl === upload.url) await defaultOptions.urlStorage.removeUpload(urlStorageKey);
      }
      async function readResult(url: string) {
        const response = await waitForResult(url, signal);
        if (response.status !== 401 && !isTemporary(response.status)) await forget();
        return response;
      }
      const settle = (response: Promise<Response>) =>
        response.finally(() => signal?.removeEventListener('abort', abort)).then(resolve, reject);
      // The server deletes what it has received when it can be reached.
      const abort = () => {
        reject(signal?.reason);
        void Promise.allSettled([forget(), upload.abort(true)]);
      };
      signal?.addEventListener('abort', abort, { once: true });
      upload.findPreviousUploads().then((previous: PreviousUpload[]) => {
        const [latest] = previous;
        if (latest) upload.resumeFromPreviousUpload(latest);
        if (!signal?.aborted) upload.start();
      }, reject);
    });
  }

  /** The response that a form would have got, as soon as there is one. */
  async function waitForResult(url: string, signal: AbortSignal | undefined): Promise<Response> {
    const request = async (bearer: string | undefined) => {
      const response = await fetch(`${url}/result`, {
        ...(bearer && { headers: { authorization: `Bearer ${bearer}` } }),
        ...(signal && { signal }),
      });
      // The connection may also break before the end of the body.
      return new Response(await response.text(), response);
    };
    for (let failures = 0; ; ) {
      const isLast = failures >= retryDelaysMs.length;
      const response = await send(request, { isRepeatable: true, signal }).catch((reason: unknown) => {
        if (isLast || signal?.aborted) throw reason;
      });
      if (response?.status === 202) {
        failures = 0;
        await pause(1_000, signal);
        continue;
      }
      const mayGoOn = !response || (isTemporary(response.status) && !isQuotaUsedUp(await response.clone().text()));
      if (response && (isLast || !mayGoOn)) return response;
      await pause(retryDelaysMs[failures++] ?? 0, signal);
    }
  }

  return {
    uploadDocument({ file, ...texts }: DocumentUpload, options) {
      const metadata = Object.fromEntries(definedEntries(texts));
      return upload({ ...options, path: '/api/s3/document/uploads', file, metadata });
    },
    uploadVideo: ({ topicId, file }: VideoUpload, options) =>
      upload({ ...options, path: `/api/admin/education/topics/${topicId}/video/uploads`, file, metadata: {} }),
  };
}

/** Reads a file in Node, where tus-js-client expects a buffer or a stream. */
const sourceOf = (file: File) => ({
  size: file.size,
  async slice(start: number, end: number) {
    const bytes = new Uint8Array(await file.slice(start, end).arrayBuffer());
    return { value: Object.assign(bytes, { size: bytes.length }), done: end >= file.size };
  },
  close: () => undefined,
});

function toResponse({ originalResponse }: DetailedError): Response | undefined {
  if (!originalResponse || originalResponse.getStatus() < 400) return undefined;
  const headers = new Headers();
  for (const name of ['content-type', 'retry-after', 'x-request-id']) {
    const value = originalResponse.getHeader(name);
    if (value) headers.set(name, value);
  }
  return toFailure(new Response(originalResponse.getBody(), { status: originalResponse.getStatus(), headers }));
}

const isTemporary = (status: number) => status === 408 || status === 429 || status >= 500;

/** A limit of a minute ends soon, a quota does not. The response to HEAD has no body that says which one it is. */
function isQuotaUsedUp(body: string | undefined): boolean {
  try {
    return Object(JSON.parse(body ?? '')).code === 'QUOTA_EXCEEDED';
  } catch {
    return false;
  }
}
