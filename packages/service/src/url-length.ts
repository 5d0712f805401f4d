export const maxUrlBytes = 8 * 1_024;

/** Whether a request target is longer than 8 KiB; Node.js makes each of its bytes one character. */
export const isUrlTooLong = (url: string | undefined): boolean => url !== undefined && url.length > maxUrlBytes;
