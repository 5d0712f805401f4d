import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** The parts of an export, by name, as `exportProfile` returns them. */
type Parts = Record<string, unknown>;

/**
 * Writes an export as a ZIP: `manifest.json`, which lists the other files, and one JSON file for each kind of data. The
 * entries are compressed while the stream is read.
 */
export function writeArchive(parts: Parts, createdAt: Date): Readable {
  const files = Object.entries(filesOf(parts)).map(([name, data]) => ({ name, data, bytes: toBytes(data) }));
  const manifest = {
    version: 1,
    createdAt: createdAt.toISOString(),
    userId: Object(parts.user).id,
    files: files.map(({ name, data, bytes }) => ({
      name,
      count: Array.isArray(data) ? data.length : 1,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  };
  const archive = new ZipFile();
  const entries = [{ name: 'manifest.json', bytes: toBytes(manifest) }, ...files];
  for (const { name, bytes } of entries) archive.addBuffer(bytes, name, { mtime: createdAt });
  archive.end();
  return archive.outputStream.pipe(new PassThrough());
}

const toBytes = (data: unknown) => Buffer.from(`${JSON.stringify(data, null, 2)}\n`);

/** The contents of the files. A service may add kinds of data: each is a file of its own. */
function filesOf({ user, mentorApplications, changes, content, media, enrollment, ...others }: Parts): Parts {
  const { userRoles, ...account } = Object(user);
  return {
    'account.json': account,
    'roles.json': userRoles,
    'applications.json': mentorApplications,
    'changes.json': changes,
    ...named('', { mentorAssignments: [], ...Object(content) }),
    ...named('', { enrollments: [], progress: [], notes: [], ...Object(enrollment) }),
    ...named('uploads/', { documents: [], videos: [], captions: [], ...Object(media) }),
    ...named('', others),
  };
}

/** `mentorAssignments` → `mentor-assignments.json` */
const named = (folder: string, kinds: Parts): Parts =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, data]) => [
      `${folder}${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`,
      data,
    ]),
  );
