import type { Db } from '@lms/database/connect';
import type { FeatureDeps, UploadTarget } from '../../deps.ts';
import type { Storage } from '../../storage.ts';
import type { Objects } from '../create-objects.ts';
import type { AttachableKind } from '../table.ts';
import type { ResumableMetrics } from './metrics.ts';

export interface ResumableDeps {
  db: Db;
  storage: Storage;
  access: FeatureDeps['access'];
  objects: Objects;
  targets: Record<AttachableKind, UploadTarget>;
  metrics: ResumableMetrics;
}
