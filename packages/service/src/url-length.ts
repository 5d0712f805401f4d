export const maxUrlBytes = 8 * 1_024;

/** True if a request target exceeds 8 KiB. Node.js decodes it as latin1, so characters are bytes. */
export const isUrlTooLong = (url: string | undefined): boolean => url !== undefined && url.length > maxUrlBytes;
