import type { Invariant } from './invariants.ts';

const newestDocument = `where id = (select max(id) from media.objects where kind = 'document' and status = 'ready')`;
const newestEvent = 'where ordinal = (select max(ordinal) from content.outbox)';
const importedTopics = `where kind = 'topic' and description like 'Import %'`;

/** Statements that violate each invariant, and no other. They are executed in a transaction that is rolled back. */
export const planted: Record<Exclude<Invariant, 'processes'>, Record<string, string>> = {
  'acknowledged writes': {
    'a note is lost': 'delete from enrollment.notes where id = (select max(id) from enrollment.notes)',
    'a note exists twice': 'insert into enrollment.notes select * from enrollment.notes limit 1',
  },
  events: {
    'an event is missing': `delete from content.outbox ${newestEvent}`,
    'an event is not published': `update content.outbox set published_at = null ${newestEvent}`,
    'a consumer has not received an event':
      'delete from enrollment.inbox where event_id = (select max(event_id) from enrollment.inbox)',
  },
  effects: {
    'an event has two effects': 'insert into identity.audit_entries table identity.audit_entries',
    'an event has no effect': `delete from identity.audit_entries where entity = 'topic'`,
  },
  projections: { 'a projection is stale': `update enrollment.outline set name = 'stale' where kind = 'level'` },
  'one active': { 'a role is active twice': 'insert into identity.user_roles table identity.user_roles' },
  'one winner': { 'two decisions are acknowledged': `update journal set contest = 'one' where contest is not null` },
  quotas: { 'calls are counted that no user has made': 'update usage set used = used + 1000' },
  objects: {
    'an object has no row': `delete from media.objects where kind = 'poster'`,
    'an object is lost': `update media.objects set key = 'lost' ${newestDocument}`,
    'an entry has neither row nor object': `delete from media.objects ${newestDocument}`,
    'a poster has no video': 'update media.video_processing set poster_id = null',
  },
  renditions: {
    'a video is not processed': `update media.video_processing set status = 'failed'`,
    'the object of a rendition is lost': `insert into media.objects
      select (jsonb_populate_record(o, '{"key": "lost"}')).* from media.objects o where kind = 'rendition'`,
  },
  imports: {
    'an import has not ended': `update content.imports set status = 'importing'`,
    'an imported topic is missing': `update content.nodes set description = '' ${importedTopics}`,
    'an imported document exists twice': `update content.nodes set documents = documents || documents ${importedTopics}`,
  },
  access: {
    'a learner reads without an enrollment': `update journal set forbidden_from = 0 where email like 'reader@%'`,
  },
  'server errors': {
    'a part fails that no fault has disturbed': `update journal set status = 503, needs = '{}' where email is null`,
  },
};
