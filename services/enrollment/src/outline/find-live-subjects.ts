import { isId } from '@lms/contracts/ids';
import { FoundSubjects, maxSubjectLookup, subjectLookupPath } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import type { LiveSubject } from './get-subject.ts';
import { outline } from './repository.ts';

type ContentClient = Pick<ServiceClient, 'request'>;

/** Finds subjects in content, in bulk, and stores local copies of new ones. Subjects that are not live are missing. */
export async function findLiveSubjects(
  db: Db,
  content: ContentClient,
  context: CallContext,
  { ids, externalIds }: { ids: string[]; externalIds: string[] },
) {
  const named = await findByExternalId(content, context, externalIds);
  const all = new Set([...ids.filter(isId), ...named.map(({ id }) => id)]);
  const byId = await findById(db, content, context, [...all]);
  const byExternalId = new Map(
    named.flatMap(({ externalId, id }) => {
      const subject = byId.get(id);
      return subject ? [[externalId, subject]] : [];
    }),
  );
  return { byId, byExternalId };
}

async function findByExternalId(content: ContentClient, context: CallContext, externalIds: string[]) {
  const named: { externalId: string; id: string }[] = [];
  for (const batch of batchesOf(externalIds)) {
    const { byExternalId } = await lookUp(content, context, { ids: [], externalIds: batch });
    byExternalId.forEach((subject, index) => {
      if (subject) named.push({ externalId: batch[index] ?? '', id: subject.id });
    });
  }
  return named;
}

async function findById(db: Db, content: ContentClient, context: CallContext, ids: string[]) {
  const live = new Map<string, LiveSubject>();
  for (const batch of batchesOf(ids)) {
    // Before content is called: a deletion after its response has a higher version.
    const versions = await outline(db).listVersions(batch);
    const { byId } = await lookUp(content, context, { ids: batch, externalIds: [] });
    const found = byId.flatMap((subject) => (subject?.isLive ? [subject] : []));
    await outline(db).insertAllIfAbsent(
      found
        .filter(({ id }) => !versions.has(id))
        .map(({ id, gradeId, name }) => ({ id, kind: 'subject', parentId: gradeId, name })),
    );
    for (const { id } of found) live.set(id, { id, knownVersion: versions.get(id) ?? 0 });
  }
  return live;
}

const lookUp = (content: ContentClient, context: CallContext, body: { ids: string[]; externalIds: string[] }) =>
  content.request(FoundSubjects, context, { method: 'POST', path: subjectLookupPath, body });

const batchesOf = (values: string[]) =>
  Array.from({ length: Math.ceil(values.length / maxSubjectLookup) }, (_, index) =>
    values.slice(index * maxSubjectLookup, (index + 1) * maxSubjectLookup),
  );
