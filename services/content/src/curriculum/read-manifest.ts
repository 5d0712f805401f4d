import {
  type CurriculumCaptions,
  type CurriculumDocument,
  type CurriculumVideo,
  gradeLevels,
} from '@lms/contracts/curriculum';
import { catalogs, kindsByDepth, vocabulary } from './cartridge-format.ts';
import type { Issue } from './items.ts';
import { childrenOf, findPath, InvalidXml, parseXmlStream, type XmlElement } from './parse-xml.ts';
import { resolvePath } from './paths.ts';

type GradeLevel = (typeof gradeLevels)[number];

export interface ManifestItem {
  title: string;
  resource: string | undefined;
  children: ManifestItem[];
  line: number;
  metadata: ItemMetadata;
}

export interface Resource {
  identifier: string;
  type: string;
  /** Paths in the archive. */
  href: string | undefined;
  /** Each once, as the dependencies. */
  files: string[];
  dependencies: string[];
  /** The identifiers of resources that this one can stand for in products that do not support them. */
  variantOf: string[];
  /** False for material that is only for those who teach, as solutions of exercises. */
  isForLearners: boolean;
  line: number;
}

/** What an item says about itself beyond its title; most products say nothing. */
export interface ItemMetadata {
  description: string | undefined;
  kind: string | undefined;
  externalId: string | undefined;
  isActive: false | undefined;
  partial: true | undefined;
  level: GradeLevel | undefined;
  imageUrl: string | undefined;
  video: CurriculumVideo | undefined;
  /** Undefined if there are none. */
  documents: CurriculumDocument[] | undefined;
}

export interface Manifest {
  title: string;
  description: string | undefined;
  level: GradeLevel | undefined;
  items: ManifestItem[];
  resources: Map<string, Resource>;
  /** The resources that can stand for an unsupported one, by the identifier of that one. */
  variants: Map<string, Resource>;
  /** The files of resources that are not for learners. */
  teachersFiles: Set<string>;
  /** Every item says which kind it is: the cartridge was written by this service. */
  hasKinds: boolean;
}

/** Reads the manifest of a Common Cartridge 1.0 to 1.3. Undefined, with an issue, if it is none. */
export async function readManifest(
  bytes: AsyncIterable<Uint8Array>,
  report: (issue: Issue) => void,
): Promise<Manifest | undefined> {
  // Copies, because the strings of a parser are parts of the document, and keep it in memory.
  const itemsOf = new Map<XmlElement, ManifestItem[]>();
  const resources: Resource[] = [];
  try {
    const root = await parseXmlStream(bytes, (element, ancestors) => {
      const parent = ancestors.at(-1);
      if (element.name === 'item' && parent) {
        const siblings = itemsOf.get(parent) ?? [];
        siblings.push({ ...structuredClone(toItem(element)), children: itemsOf.get(element) ?? [] });
        itemsOf.set(parent, siblings);
        itemsOf.delete(element);
        return false;
      }
      if (element.name !== 'resource' || parent?.name !== 'resources') return true;
      resources.push(structuredClone(toResource(element, ancestors)));
      return false;
    });
    const schema = textOf(findPath(root, 'metadata', 'schema'));
    const version = textOf(findPath(root, 'metadata', 'schemaversion'));
    if (root.name !== 'manifest' || !/common cartridge/i.test(schema) || !/^1\.[0-3](\.|$)/.test(version)) {
      const found = [schema, version].join(' ').trim() || 'unknown';
      report(
        error('NOT_A_CARTRIDGE', `Not the manifest of a Common Cartridge 1.0 to 1.3, but: ${found.slice(0, 100)}`),
      );
      return undefined;
    }
    const organization = findPath(root, 'organizations', 'organization');
    return toManifest(root, (organization && itemsOf.get(organization)) ?? [], resources);
  } catch (thrown) {
    if (!(thrown instanceof InvalidXml)) throw thrown;
    report({ ...error('INVALID_XML', `imsmanifest.xml: ${thrown.message}`), line: thrown.line });
    return undefined;
  }
}

const error = (code: string, message: string): Issue => ({ severity: 'error', code, message });

function toManifest(root: XmlElement, top: ManifestItem[], resources: Resource[]): Manifest {
  const lom = findPath(root, 'metadata', 'lom');
  const organization = findPath(root, 'organizations', 'organization');
  const [only] = top;
  // The items are usually below one item that has no title.
  const items = top.length === 1 && only?.title === '' ? only.children : top;
  return {
    title:
      langString(findPath(lom, 'general', 'title')) || textOf(findPath(organization, 'title')) || 'Common Cartridge',
    description: langString(findPath(lom, 'general', 'description')),
    level: toLevel(textOf(findPath(lom, 'educational', 'context', 'value'))),
    items,
    resources: new Map(resources.map((resource) => [resource.identifier, resource])),
    variants: new Map(
      resources.flatMap((resource) =>
        resource.variantOf.map((identifier): [string, Resource] => [identifier, resource]),
      ),
    ),
    teachersFiles: new Set(
      resources.filter(({ isForLearners }) => !isForLearners).flatMap(({ href, files }) => [href ?? [], files].flat()),
    ),
    hasKinds: items.length > 0 && items.every((item) => hasKinds(item, 0)),
  };
}

const captionKinds = ['captions', 'subtitles', 'descriptions', 'chapters'] as const;

const hasKinds = (item: ManifestItem, depth: number): boolean =>
  item.metadata.kind === kindsByDepth[depth] && item.children.every((child) => hasKinds(child, depth + 1));

const toItem = (element: XmlElement): Omit<ManifestItem, 'children'> => ({
  title: textOf(findPath(element, 'title')),
  resource: element.attributes.get('identifierref') || undefined,
  line: element.line,
  metadata: toMetadata(findPath(element, 'metadata', 'lom')),
});

function toResource(element: XmlElement, ancestors: XmlElement[]): Resource {
  const base = [...ancestors, element].map(({ attributes }) => attributes.get('base') ?? '').join('');
  const pathOf = (attribute: string | undefined) =>
    attribute === undefined ? undefined : resolvePath(base, attribute);
  const references = (name: string) =>
    childrenOf(element, name).flatMap((child) => child.attributes.get('identifierref') ?? []);
  const roles = childrenOf(findPath(element, 'metadata', 'lom'), 'educational')
    .flatMap((educational) => childrenOf(educational, 'intendedEndUserRole'))
    .map((role) => textOf(findPath(role, 'value')).toLowerCase());
  return {
    identifier: element.attributes.get('identifier') ?? '',
    type: element.attributes.get('type') ?? '',
    href: pathOf(element.attributes.get('href')),
    files: unique(childrenOf(element, 'file').flatMap((file) => pathOf(file.attributes.get('href')) ?? [])),
    dependencies: unique(references('dependency')),
    variantOf: references('variant'),
    isForLearners: roles.length === 0 || roles.includes('learner'),
    line: element.line,
  };
}

function toMetadata(lom: XmlElement | undefined): ItemMetadata {
  const general = findPath(lom, 'general');
  const relations = childrenOf(lom, 'relation').map((relation) => findPath(relation, 'resource'));
  const entries = (catalog: string) =>
    relations.flatMap((resource) => {
      const entry = entryOf(resource, catalog);
      return entry === undefined
        ? []
        : [{ entry, resource, texts: childrenOf(resource, 'description').map(langString) }];
    });
  const [video] = entries(catalogs.video);
  const documents = entries(catalogs.document);
  return {
    description: langString(findPath(general, 'description')),
    kind: ownTerm(findPath(lom, 'educational', 'learningResourceType')),
    externalId: entryOf(general, catalogs.externalId),
    partial: entryOf(general, catalogs.partial) === 'true' || undefined,
    isActive: ownTerm(findPath(lom, 'lifeCycle', 'status')) === 'inactive' ? false : undefined,
    level: toLevel(textOf(findPath(lom, 'educational', 'context', 'value'))),
    imageUrl: entries(catalogs.image)[0]?.entry,
    video: video && {
      file: video.entry,
      captions: entries(catalogs.captions).map(
        ({ entry, resource, texts: [label] }): CurriculumCaptions => ({
          language: entryOf(resource, catalogs.language) ?? '',
          file: entry,
          ...(label !== undefined && { label }),
          kind: captionKinds.find((kind) => kind === entryOf(resource, catalogs.captionKind)) ?? 'captions',
          ...(entryOf(resource, catalogs.captionDefault) === 'true' && { default: true }),
        }),
      ),
    },
    documents:
      documents.length === 0
        ? undefined
        : documents.map(({ entry, texts: [name = '', description = ''] }) => ({ file: entry, name, description })),
  };
}

const unique = (texts: string[]) => [...new Set(texts)];
const textOf = (element: XmlElement | undefined) => element?.text.trim() ?? '';
// The strings of our own cartridges are kept exactly.
const langString = (element: XmlElement | undefined): string | undefined => findPath(element, 'string')?.text;
const entryOf = (element: XmlElement | undefined, catalog: string) => {
  const identifier = childrenOf(element, 'identifier').find((child) => textOf(findPath(child, 'catalog')) === catalog);
  return findPath(identifier, 'entry')?.text;
};
const ownTerm = (element: XmlElement | undefined) =>
  textOf(findPath(element, 'source')) === vocabulary ? textOf(findPath(element, 'value')) : undefined;

/** Our own term, or the closest to a term of LOM. */
function toLevel(context: string): GradeLevel | undefined {
  const own = gradeLevels.find((level) => level === context);
  if (own) return own;
  if (/higher|universit|college/i.test(context)) return 'higher';
  if (/primary|elementary/i.test(context)) return 'primary';
  return /secondary|school/i.test(context) ? 'secondary' : undefined;
}
