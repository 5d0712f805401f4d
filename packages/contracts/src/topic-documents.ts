/** How many documents a topic may have. */
export const maxDocuments = 1_000;
/**
 * What their entries may have together, as JSON. Every event of a topic contains them, and NATS accepts 1 MiB by default;
 * the other fields of a topic have less than 150 KiB.
 */
export const maxEntryBytes = 768 * 1_024;

export const documentsLimit =
  'A topic has at most 1,000 documents, and their entries, with names and descriptions, at most 768 KiB';

export const entryBytes = (entries: readonly object[]) => Buffer.byteLength(JSON.stringify(entries));

export const exceedLimit = (entries: readonly object[]) =>
  entries.length > maxDocuments || entryBytes(entries) > maxEntryBytes;
