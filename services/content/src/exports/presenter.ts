import { publicAddress, toWire } from '@lms/contracts/wire';
import type { DownloadTokens } from './download-tokens.ts';
import type { Export } from './repository.ts';
import { fileNameOf } from './run-export.ts';

export const downloadPath = (id: string) => `/api/education/exports/${id}/download`;

/** An export; a completed one has an address that works for a quarter of an hour. */
export function toExport(row: Export, { tokens, publicUrl }: { tokens: DownloadTokens; publicUrl: string }) {
  const { id, format, rootType, rootId, includeMedia, percent, size, checksum, error, createdBy } = row;
  const { createdAt, finishedAt, expiresAt: availableUntil } = row;
  const isExpired = row.status === 'completed' && availableUntil !== null && availableUntil <= new Date();
  const status = isExpired ? ('expired' as const) : row.status;
  const signed = status === 'completed' && availableUntil ? tokens.create(id, availableUntil) : undefined;
  return toWire({
    ...{ id, status, percent, format, rootType, rootId, includeMedia },
    fileName: fileNameOf(row),
    ...{ size, checksum, error },
    downloadUrl: signed ? publicAddress(publicUrl, `${downloadPath(id)}?token=${signed.token}`) : null,
    expiresAt: signed?.expiresAt ?? null,
    ...{ availableUntil, createdBy, createdAt, finishedAt },
  });
}
