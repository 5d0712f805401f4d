import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inDatabase, type Planted, withoutNewest, withoutObject } from './plant.ts';

/** Violations of what media stores, and of imports. */
export const plantedObjects: Planted[] = [
  {
    name: 'an object has no row',
    expected: ['objects'],
    async plant({ system }) {
      const path = join(system.storagePath, 'planted');
      await writeFile(path, '');
      return () => rm(path);
    },
  },
  {
    name: 'an object is lost',
    expected: ['objects'],
    plant: withoutObject('document'),
  },
  {
    name: 'an entry has neither row nor object',
    expected: ['objects'],
    plant: withoutNewest('media', 'objects', 'uploaded_at', `status = 'ready' and kind = 'document'`),
  },
  {
    name: 'a rendition belongs to no video',
    expected: ['objects'],
    plant: inDatabase(
      'media',
      `create table unnamed as select video_id, poster_id from video_processing where poster_id is not null;
        update video_processing set poster_id = null`,
      `update video_processing p set poster_id = u.poster_id from unnamed u where u.video_id = p.video_id;
        drop table unnamed`,
    ),
  },
  {
    name: 'a video was not processed',
    expected: ['renditions'],
    plant: inDatabase(
      'media',
      `update video_processing set status = 'failed' where status = 'ready'`,
      `update video_processing set status = 'ready' where status = 'failed'`,
    ),
  },
  {
    name: 'the object of a rendition is lost',
    expected: ['renditions'],
    plant: withoutObject('rendition'),
  },
  {
    name: 'an import has not ended',
    expected: ['imports'],
    plant: inDatabase(
      'content',
      `update imports set status = 'importing', due_at = 'infinity' where finished_at = (select max(finished_at) from imports)`,
      `update imports set status = 'completed' where status = 'importing'`,
    ),
  },
  {
    name: 'an imported topic is missing',
    expected: ['imports'],
    plant: inDatabase(
      'content',
      `update nodes set description = 'planted' where id = (select max(id) from nodes where kind = 'topic' and description like 'Import %')`,
      `update nodes set description = (select description from nodes s where s.id = nodes.parent_id) where description = 'planted'`,
    ),
  },
  {
    name: 'an imported document exists twice',
    expected: ['imports'],
    plant: inDatabase(
      'content',
      `update nodes set documents = documents || documents where description like 'Import %'`,
      `update nodes set documents = jsonb_build_array(documents->0) where description like 'Import %' and kind = 'topic'`,
    ),
  },
];
