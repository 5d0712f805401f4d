import type { Invariant } from './invariants.ts';

/** Changes a copy of a table, which the checks then read instead of it. */
const inCopy = (table: string, change: string) => `
  alter foreign table ${table} rename to original;
  create table ${table} as table ${table.split('.')[0]}.original;
  ${change}`;
const inOutbox = (change: string) =>
  inCopy('content.outbox', `${change} where ordinal = (select max(ordinal) from content.outbox)`);
const inImports = (change: string) =>
  inCopy('content.nodes', `update content.nodes set ${change} where kind = 'topic' and description like 'Import %'`);
const inObjects = (change: string) => inCopy('media.objects', change);
const ofDocument = `where id = (select max(id) from media.objects where kind = 'document' and status = 'ready')`;

/** What violates each invariant, and no other: statements in a transaction that is rolled back after the checks. */
export const planted: Record<Exclude<Invariant, 'processes'>, Record<string, string>> = {
  'acknowledged writes': {
    'a note is lost': inCopy(
      'enrollment.notes',
      'delete from enrollment.notes where id = (select max(id) from enrollment.notes)',
    ),
    'a note exists twice': inCopy(
      'enrollment.notes',
      'insert into enrollment.notes select * from enrollment.notes limit 1',
    ),
  },
  events: {
    'an event is missing': inOutbox('delete from content.outbox'),
    'an event is not published': inOutbox('update content.outbox set published_at = null'),
    'a consumer has not received an event': inCopy(
      'enrollment.inbox',
      'delete from enrollment.inbox where event_id = (select max(event_id) from enrollment.inbox)',
    ),
  },
  effects: {
    'an event has two effects': inCopy(
      'identity.audit_entries',
      'insert into identity.audit_entries table identity.audit_entries',
    ),
    'an event has no effect': inCopy(
      'identity.audit_entries',
      `delete from identity.audit_entries where entity = 'topic'`,
    ),
  },
  projections: {
    'a projection is stale': inCopy(
      'enrollment.outline',
      `update enrollment.outline set name = 'stale' where kind = 'level'`,
    ),
  },
  'one active': {
    'a role is active twice': inCopy(
      'identity.user_roles',
      'insert into identity.user_roles table identity.user_roles',
    ),
  },
  'one winner': {
    'two decisions are acknowledged': `update journal set contest = 'one' where contest is not null`,
  },
  quotas: { 'calls are counted that no user has made': 'update usage set used = used + 1000' },
  objects: {
    'an object has no row': inObjects(`delete from media.objects where kind = 'poster'`),
    'an object is lost': inObjects(`update media.objects set key = 'lost' ${ofDocument}`),
    'an entry has neither row nor object': inObjects(`delete from media.objects ${ofDocument}`),
    'a poster has no video': inCopy('media.video_processing', 'update media.video_processing set poster_id = null'),
  },
  renditions: {
    'a video is not processed': inCopy('media.video_processing', `update media.video_processing set status = 'failed'`),
    'the object of a rendition is lost': inObjects(`insert into media.objects
      select (jsonb_populate_record(o, '{"key": "lost"}')).* from media.objects o where kind = 'rendition'`),
  },
  imports: {
    'an import has not ended': inCopy('content.imports', `update content.imports set status = 'importing'`),
    'an imported topic is missing': inImports(`description = ''`),
    'an imported document exists twice': inImports('documents = documents || documents'),
  },
  access: {
    'a learner reads without an enrollment': `update journal set forbidden_from = 0 where email like 'reader@%'`,
  },
  'server errors': {
    'a part fails that no fault has disturbed': `update journal set status = 503, needs = '{}' where email is null`,
  },
};
