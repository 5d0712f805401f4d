import { imported, importPrefix } from '../workload/imports.ts';
import { type Entry, isAcknowledged, isUnknown } from '../workload/journal.ts';
import { type Check, read } from './invariant.ts';
import { isRestored, listObjectFiles } from './objects.ts';

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
