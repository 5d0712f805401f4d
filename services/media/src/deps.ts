import type { Principal } from '@lms/contracts/passport';
import type { Database } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import type { Access } from './access/access.ts';
import type { Objects } from './objects/create-objects.ts';
import type { Part } from './objects/read-form.ts';
import type { Upload } from './objects/uploads.ts';

/** What app.ts hands into the rooms of videos and documents. */
export interface FeatureDeps {
  database: Pick<Database, 'db'>;
  content: Pick<ServiceClient, 'request'>;
  access: Access;
  objects: Objects;
  /** Where clients reach the system. */
  publicUrl: string;
  maxVideoBytes: number;
  maxDocumentBytes: number;
}

/** Who does something, on whose behalf neighbours are asked, and how it is told. */
export interface RequestContext {
  caller: Principal;
  callContext: CallContext;
  cause: Cause;
}

export interface UploadRequest extends RequestContext {
  parts: AsyncIterator<Part>;
  upload: Upload;
}
