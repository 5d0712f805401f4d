import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../../deps.ts';
import { extensionOf, sanitizeFileName } from '../file-name.ts';
import type { AttachableKind } from '../table.ts';
import type { ResumableDeps } from './deps.ts';
import { tooManyUnfinished } from './errors.ts';
import { lengthOf, metadataOf } from './headers.ts';
import { uploadRepository } from './repository.ts';

// Unfinished uploads take storage, and count against no quota.
const maxUnfinished = 50;

/** Creates an upload without bytes. What is known of the file is checked now, and again when the upload is finished. */
export async function createUpload(
  { db, access, targets, metrics }: ResumableDeps,
  { kind, topicId, headers }: { kind: AttachableKind; topicId: string | undefined; headers: IncomingHttpHeaders },
  { caller, callContext }: RequestContext,
) {
  const { file, maxBytes, describe } = targets[kind];
  const length = lengthOf(headers, maxBytes);
  const { header: metadata, texts } = metadataOf(headers);
  const fileName = sanitizeFileName(texts.get('filename') ?? '') || kind;
  file.checkExtension?.(extensionOf(fileName));
  const described = { topicId: topicId ?? '', name: '', description: '', ...describe(texts, fileName) };
  await access.requireManage(callContext, described.topicId, caller);

  const { userId } = caller;
  const upload = await db.transaction(async (tx) => {
    const repository = uploadRepository(tx);
    await repository.lockUser(userId);
    const unfinished = await repository.listUnfinished(userId);
    const [oldest] = unfinished;
    if (oldest && unfinished.length >= maxUnfinished) throw tooManyUnfinished(maxUnfinished, oldest.expiresAt);
    return repository.insert({ kind, userId, fileName, length, metadata, ...described });
  });
  metrics.count('created');
  return upload;
}
