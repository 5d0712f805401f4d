import { childrenOf, decodeXml, findPath, InvalidXml, parseXml } from './parse-xml.ts';
import { extensionOf, folderOf, resolvePath } from './paths.ts';
import type { Manifest, Resource } from './read-manifest.ts';
import { listReferences, readPageContent } from './topic-page.ts';

/** The files of an archive. */
export interface ArchiveFiles {
  /** Sizes in bytes, by path. */
  sizes: Pick<ReadonlyMap<string, number>, 'has' | 'get' | 'keys'>;
  read: (path: string) => Promise<Uint8Array>;
  open: (path: string) => Promise<AsyncIterable<Uint8Array>>;
}

/** What a topic is made of. */
export interface Material {
  /** Blank for a file. */
  content: string;
  video: string | undefined;
  documents: string[];
  /** The page refers to more addresses than `maxLinks`. */
  hasMoreLinks?: boolean;
}

/** Why a resource could not be taken. */
export interface Refusal {
  code: string;
  message: string;
}

const pageExtensions = ['html', 'htm', 'xhtml'];
const videoExtensions = ['mp4', 'webm', 'ogg', 'mov', 'avi'];
// Parts of pages that mean nothing on their own.
const pageParts = ['css', 'js', 'map', ...pageExtensions];
export const maxLinks = 10_000;
const maxPageBytes = 8 * 1024 * 1024;

const unsupported: [RegExp, string][] = [
  [/question-bank/, 'a question bank'],
  [/^imsqti/, 'a quiz'],
  [/^imsdt/, 'a discussion'],
  [/^imsbasiclti/, 'an external tool (LTI)'],
  [/^assignment_/, 'an assignment'],
  [/^imsapip/, 'an assessment package'],
  [/^imsiwb/, 'a whiteboard file'],
  [/^associatedcontent/, 'data of another product'],
];

/** The kind of a resource that has no place in a curriculum; undefined for those that have one. */
export const unsupportedKind = ({ type, href }: Resource): string | undefined =>
  /^associatedcontent/.test(type) && isPage(href)
    ? undefined
    : unsupported.find(([pattern]) => pattern.test(type))?.[1];

const isPage = (path: string | undefined) => path !== undefined && pageExtensions.includes(extensionOf(path));

/** Reads the page, web link or file of a resource, with the files that belong to it. */
export async function readResource(
  resource: Resource,
  { resources, teachersFiles }: Manifest,
  archive: ArchiveFiles,
): Promise<Material | Refusal> {
  const kind = unsupportedKind(resource);
  if (kind) return { code: 'UNSUPPORTED_RESOURCE', message: `${kind} (${resource.type}) has no place in a curriculum` };
  const path = resource.href ?? resource.files[0];
  if (path === undefined) return { code: 'EMPTY_RESOURCE', message: 'the resource names no file' };
  if (!archive.sizes.has(path)) return { code: 'MISSING_FILE', message: `the file ${path} is not in the archive` };
  if (/^imswl/.test(resource.type)) return readWebLink(path, archive);

  const related = [resource, ...resource.dependencies.flatMap((identifier) => resources.get(identifier) ?? [])].flatMap(
    ({ files }) => files,
  );
  const others = related.filter((file) => file !== path && !pageParts.includes(extensionOf(file)));
  const toMaterial = (content: string, paths: string[]): Material => {
    const files = [...new Set(paths)].filter(
      (file) => archive.sizes.has(file) && !(resource.isForLearners && teachersFiles.has(file)),
    );
    // A topic has one video; further ones become documents.
    const video = files.find((file) => videoExtensions.includes(extensionOf(file)));
    return { content, video, documents: files.filter((file) => file !== video) };
  };
  if (!isPage(path)) return toMaterial('', [path, ...others]);
  if ((archive.sizes.get(path) ?? 0) > maxPageBytes)
    return { code: 'PAGE_TOO_LARGE', message: `the page ${path} is larger than ${maxPageBytes} bytes` };
  const html = decodeHtml(await archive.read(path));
  const links = listReferences(html, maxLinks + 1);
  const linked = listLinkedFiles(path, links.slice(0, maxLinks), archive);
  return { ...toMaterial(readPageContent(html), [...others, ...linked]), hasMoreLinks: links.length > maxLinks };
}

const metaCharset = /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i;

/**
 * Decodes a page as browsers do: by its byte order mark or what it says at its beginning; without either as UTF-8, or as
 * Windows-1252 if it is not.
 */
function decodeHtml(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  const mark = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[start.slice(0, 2)];
  // What could be read cannot be UTF-16.
  const declared = mark ?? metaCharset.exec(start)?.[1]?.replace(/^utf-16.*/i, 'utf-8') ?? 'utf-8';
  for (const encoding of [declared, 'utf-8'])
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // Not what it says, or not an encoding.
    }
  return new TextDecoder('windows-1252').decode(bytes);
}

function listLinkedFiles(page: string, links: string[], { sizes }: ArchiveFiles): string[] {
  return links.flatMap((address) => {
    // Canvas writes the folder of its files, Moodle and others that of the archive, as a variable.
    const [, inFiles] = /^(?:\$|%24)IMS[-_]CC[-_]FILEBASE(?:\$|%24)\/?(.*)$/i.exec(address) ?? [];
    const candidates =
      inFiles === undefined
        ? [resolvePath(folderOf(page), address)]
        : ['web_resources/', '', folderOf(page)].map((folder) => resolvePath(folder, inFiles));
    const path = candidates.find((candidate) => candidate !== undefined && sizes.has(candidate));
    return path === undefined || pageParts.includes(extensionOf(path)) ? [] : [path];
  });
}

async function readWebLink(path: string, archive: ArchiveFiles): Promise<Material | Refusal> {
  try {
    const link = parseXml(decodeXml(await archive.read(path)));
    const url = findPath(link, 'url')?.attributes.get('href')?.trim() ?? '';
    if (!/^https?:\/\//i.test(url))
      return { code: 'INVALID_LINK', message: `the web link ${path} has no http(s) address` };
    const title = childrenOf(link, 'title')[0]?.text.trim();
    return { content: title ? `${title}\n${url}` : url, video: undefined, documents: [] };
  } catch (error) {
    if (error instanceof InvalidXml) return { code: 'INVALID_XML', message: `${path}: ${error.message}` };
    throw error;
  }
}
