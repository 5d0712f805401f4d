import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { System } from '../system/start-system.ts';
import { type Check, type Evidence, read } from './invariant.ts';

const entriesSql = `select entry->>'id' as key, '' as value from nodes, jsonb_array_elements(documents) entry where deleted_at is null
  union all select video->'video'->>'id', '' from nodes where video is not null and deleted_at is null`;
const rowsSql = `select id as key, key as value from objects where kind in ('video', 'document') and status in ('ready', 'removing')`;
const unusedSql = `select id as key, kind as value from objects where kind in ('rendition', 'poster', 'sprite')
  and status in ('ready', 'removing') and not exists (select from renditions where object_id = objects.id)
  and not exists (select from video_processing where objects.id in (poster_id, sprite_id))`;
const readableSql = `select id as key, key as value from objects where status in ('offered', 'ready', 'removing')`;

export async function listObjectFiles({ storagePath }: System) {
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
export const isRestored = (restores: Evidence['restores']) =>
  restores.some(({ database }) => database === 'content' || database === 'media');
