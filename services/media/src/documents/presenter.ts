import type { DocumentEntry } from '@lms/contracts/internal/content';
import { publicAddress } from '@lms/contracts/wire';
import type { StoredObject } from '../objects/table.ts';

/** A document as it appears in responses, in internal requests to content and in events. */
export const toDocument = (publicUrl: string, object: StoredObject): DocumentEntry => ({
  id: object.id,
  name: object.name,
  description: object.description,
  key: object.key,
  fileName: object.fileName,
  mimeType: object.mimeType,
  size: object.size,
  checksum: object.checksum,
  url: publicAddress(publicUrl, `/api/s3/document/stream?key=${object.key}`),
  uploadedBy: object.uploadedBy,
  uploadedAt: object.uploadedAt.toISOString(),
});
