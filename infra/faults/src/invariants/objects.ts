import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { System } from '../system/start-system.ts';
import { type Entry, isAcknowledged, isUnknown } from '../workload/journal.ts';
import { imported, importPrefix } from '../workload/uploads.ts';
import { type Check, type Evidence, read } from './evidence.ts';

const entriesSql = `select entry->>'id' as key, '' as value from nodes, jsonb_array_elements(documents) entry where deleted_at is null
  union all select video->'video'->>'id', '' from nodes where video is not null and deleted_at is null`;
const rowsSql = `select id as key, key as value from objects where kind in ('video', 'document') and status in ('ready', 'removing')`;
const unusedSql = `select id as key, kind as value from objects where kind in ('rendition', 'poster', 'sprite')
  and status in ('ready', 'removing') and not exists (select from renditions where object_id = objects.id)
  and not exists (select from video_processing where objects.id in (poster_id, sprite_id))`;
const readableSql = `select id as key, key as value from objects where status in ('offered', 'ready', 'removing')`;

async function listObjectFiles({ storagePath }: System) {
  const stored = await readdir(storagePath, { recursive: true, withFileTypes: true });
  return new Set(stored.filter((one) => one.isFile()).map(({ name }) => basename(name, '.part')));
}

/** Every entry that content shows can be read. */
export const checkEntries: Check = async ({ system, restores }) => {
  const entries = await read(system, 'content', entriesSql);
  const rows = await read(system, 'media', readableSql);
  const files = await listObjectFiles(system);
  const texts: string[] = [];
  for (const [id, key] of rows)
    if (entries.has(id) && !files.has(key)) texts.push(`object ${key} of the row ${id} is missing`);
  // A restore of one database loses one half of each upload.
  if (isRestored(restores)) return texts;
  for (const id of entries.keys()) if (!rows.has(id)) texts.push(`the entry ${id} has no row`);
  return texts;
};

/** There are no rows and objects that content does not show. */
export const checkLeftovers: Check = async ({ system, restores }) => {
  // The sweep removes what the restore of one database leaves after a day.
  if (isRestored(restores)) return [];
  const entries = await read(system, 'content', entriesSql);
  const rows = await read(system, 'media', rowsSql);
  const unused = await read(system, 'media', unusedSql);
  const all = await read(system, 'media', 'select key, status as value from objects');
  const files = await listObjectFiles(system);
  return [
    ...[...rows.keys()].filter((id) => !entries.has(id)).map((id) => `the row ${id} has no entry`),
    ...[...unused].map(([id, kind]) => `the ${kind} ${id} belongs to no video`),
    ...[...files].filter((key) => !all.has(key)).map((key) => `the object ${key} has no row`),
  ];
};

/** Whether one database has been restored that describes the objects, but not the other. */
const isRestored = (restores: Evidence['restores']) =>
  restores.some(({ database }) => database === 'content' || database === 'media');

const videosSql = `select o.id as key, concat_ws(' ', p.status, count(r.*)) as value
  from objects o left join video_processing p on p.video_id = o.id left join renditions r on r.video_id = o.id
  where o.kind = 'video' and o.status = 'ready' group by o.id, p.status`;
const shownSql = `select video->'video'->>'id' as key,
  concat_ws(' ', video->'video'->>'status', jsonb_array_length(video->'video'->'renditions')) as value
  from nodes where video is not null and deleted_at is null`;
const derivedSql = `select o.key, o.id as value from objects o join objects video on video.id = o.derived_from
  where o.status = 'ready' and video.status = 'ready'`;

/** The renditions of every video get ready, and content shows them. */
export const checkRenditions: Check = async ({ system, restores, hasFilms }) => {
  if (!hasFilms || isRestored(restores)) return [];
  const videos = await read(system, 'media', videosSql);
  const shown = await read(system, 'content', shownSql);
  const derived = await read(system, 'media', derivedSql);
  const files = await listObjectFiles(system);
  return [
    ...[...videos].filter(([, state]) => state !== 'ready 1').map(([id, state]) => `the video ${id} is ${state}`),
    ...[...shown]
      .filter(([id, state]) => videos.get(id) !== state)
      .map(([id, state]) => `content shows the video ${id} as ${state} instead of ${videos.get(id)}`),
    ...[...derived].filter(([key]) => !files.has(key)).map(([key, id]) => `object ${key} of the row ${id} is missing`),
  ];
};

const importsSql = `select file_name as key, concat_ws(', ', string_agg(distinct i.id || ' ' || status, ', '),
    count(n.id) || ' items', coalesce(sum(jsonb_array_length(n.documents)), 0) || ' documents') as value
  from imports i left join nodes n on n.description = file_name group by 1`;
const strayItemsSql = `select description as key, count(*)::text as value from nodes where description like '${importPrefix} %.zip'
  and not exists (select from imports where file_name = description) group by 1`;

/** Every import that was accepted is completed, with each item and document once. Another one has left nothing. */
export const checkImports: Check = async ({ system, journal, restores }) => {
  if (isRestored(restores)) return [];
  const stored = await read(system, 'content', importsSql);
  const stray = await read(system, 'content', strayItemsSql);
  const isImport = (entry: Entry): entry is Entry & { importOf: string } => entry.importOf !== undefined;
  const complete = new RegExp(`^\\w+ completed, ${imported.items} items, ${imported.documents} documents$`);
  const texts = [...stray].map(([name, count]) => `${count} items of "${name}" were written without an import`);
  for (const entry of journal.entries.filter(isImport)) {
    const state = stored.get(entry.importOf);
    const isExpected =
      state === undefined
        ? !isAcknowledged(entry)
        : (isAcknowledged(entry) || isUnknown(entry)) && complete.test(state);
    if (!isExpected) texts.push(`the import "${entry.importOf}" (${entry.status}) is ${state ?? 'missing'}`);
  }
  return texts;
};
