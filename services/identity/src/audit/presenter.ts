import { toWire } from '@lms/contracts/wire';
import type { AuditRow } from './repository.ts';

export const toAuditEntry = (row: AuditRow) => toWire(row);
