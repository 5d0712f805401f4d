import { createHash } from 'node:crypto';
import { type Catalog, catalogs, kindsByDepth, namespaces, schemaLocations, vocabulary } from './cartridge-format.ts';
import type { CurriculumItem } from './items.ts';
import { escapeXml } from './parse-xml.ts';
import { baseName } from './paths.ts';
import { writeTopicPage } from './topic-page.ts';

export interface CartridgeOptions {
  /** The title of the cartridge. */
  title: string;
  /** What the identifier of the manifest is made from. */
  key: string;
  /** The items in their order, each after its parent. Read twice. */
  items: () => AsyncIterable<CurriculumItem>;
}

/** The path of the page of the nth topic. */
export const pagePath = (topicNumber: number) => `topics/${String(topicNumber).padStart(5, '0')}.html`;

/** The page of the nth topic. */
export const writePage = ({ name, content = '', video, documents = [] }: CurriculumItem): string =>
  writeTopicPage(name, content, [
    ...(video ? [{ href: hrefFromPage(video.file), text: baseName(video.file) }] : []),
    ...documents.map((document) => ({
      href: hrefFromPage(document.file),
      text: document.name ?? baseName(document.file),
    })),
  ]);

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
const hrefFromPage = (path: string) => `../${encodePath(path)}`;

// XML identifiers begin with a letter and contain few other characters.
const identifierOf = (prefix: string, key: string) =>
  `${prefix}-${/^[\w.-]{1,100}$/.test(key) ? key : createHash('sha256').update(key).digest('hex').slice(0, 40)}`;
const identifierOfItem = ({ kind, externalId, id = '' }: CurriculumItem) =>
  externalId === null ? identifierOf(`${kind}-id`, id) : identifierOf(kind, externalId);
// An external id may end in anything, so they differ from those of items at their start.
const identifierOfPage = (topic: CurriculumItem) => `page-${identifierOfItem(topic)}`;
const identifierOfFile = (topic: CurriculumItem, number: number) => `file-${number}-${identifierOfItem(topic)}`;

/** The manifest of a cartridge with these items, in pieces: first the tree of items, then the list of resources. */
export async function* writeManifest({ title, key, items }: CartridgeOptions): AsyncGenerator<string> {
  yield [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<manifest identifier="${identifierOf('cartridge', key)}" xmlns="${namespaces.cartridge}"`,
    ` xmlns:lom="${namespaces.metadata}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`,
    ` xsi:schemaLocation="${namespaces.cartridge} ${schemaLocations.cartridge}`,
    ` ${namespaces.metadata} ${schemaLocations.metadata}">\n`,
    '<metadata>\n<schema>IMS Common Cartridge</schema>\n<schemaversion>1.3.0</schemaversion>\n',
    `<lom:lom><lom:general>${langString('title', title)}</lom:general></lom:lom>\n</metadata>\n`,
    '<organizations>\n<organization identifier="organization" structure="rooted-hierarchy">\n<item identifier="root">\n',
  ].join('');

  // The metadata of an item follows its children.
  const open: CurriculumItem[] = [];
  for await (const item of items()) {
    while (open.length > kindsByDepth.indexOf(item.kind)) yield closeItem(open.pop());
    const reference = item.kind === 'topic' ? ` identifierref="${identifierOfPage(item)}"` : '';
    yield `<item identifier="${identifierOfItem(item)}"${reference}>\n<title>${escapeXml(item.name)}</title>\n`;
    open.push(item);
  }
  while (open.length > 0) yield closeItem(open.pop());
  yield '</item>\n</organization>\n</organizations>\n<resources>\n';
  let topicNumber = 0;
  for await (const item of items()) {
    if (item.kind !== 'topic') continue;
    topicNumber += 1;
    yield writeResources(item, topicNumber);
  }
  yield '</resources>\n</manifest>\n';
}

const closeItem = (item: CurriculumItem | undefined) =>
  item ? `<metadata>${writeMetadata(item)}</metadata>\n</item>\n` : '';

const langString = (name: string, text: string) =>
  `<lom:${name}><lom:string>${escapeXml(text)}</lom:string></lom:${name}>`;
const term = (name: string, value: string) =>
  `<lom:${name}><lom:source>${vocabulary}</lom:source><lom:value>${escapeXml(value)}</lom:value></lom:${name}>`;
const identifier = (catalog: Catalog, entry: string) =>
  `<lom:identifier><lom:catalog>${catalog}</lom:catalog><lom:entry>${escapeXml(entry)}</lom:entry></lom:identifier>`;
const relation = (identifiers: string[], descriptions: string[] = []) =>
  [
    '<lom:relation><lom:kind><lom:source>LOMv1.0</lom:source><lom:value>haspart</lom:value></lom:kind><lom:resource>',
    ...identifiers,
    ...descriptions.map((text) => langString('description', text)),
    '</lom:resource></lom:relation>',
  ].join('');

/** What the tree of items has no place for. */
function writeMetadata({
  kind,
  partial,
  externalId,
  description,
  isActive,
  imageUrl,
  level,
  video,
  documents = [],
}: CurriculumItem) {
  return [
    '<lom:lom><lom:general>',
    externalId === null ? '' : identifier(catalogs.externalId, externalId),
    partial ? identifier(catalogs.partial, 'true') : '',
    langString('description', description),
    '</lom:general>',
    isActive ? '' : `<lom:lifeCycle>${term('status', 'inactive')}</lom:lifeCycle>`,
    `<lom:educational>${term('learningResourceType', kind)}${level ? term('context', level) : ''}</lom:educational>`,
    imageUrl ? relation([identifier(catalogs.image, imageUrl)]) : '',
    video ? relation([identifier(catalogs.video, video.file)]) : '',
    ...(video?.captions ?? []).map((captions) =>
      relation(
        [
          identifier(catalogs.captions, captions.file),
          identifier(catalogs.language, captions.language),
          identifier(catalogs.captionKind, captions.kind ?? 'captions'),
          captions.default ? identifier(catalogs.captionDefault, 'true') : '',
        ],
        captions.label === undefined ? [] : [captions.label],
      ),
    ),
    ...documents.map(({ file, name, description: about = '' }) =>
      relation([identifier(catalogs.document, file)], [name ?? baseName(file), about]),
    ),
    '</lom:lom>',
  ].join('');
}

function writeResources(topic: CurriculumItem, topicNumber: number): string {
  const { video, documents = [] } = topic;
  const files = [
    ...(video ? [video.file, ...(video.captions ?? []).map(({ file }) => file)] : []),
    ...documents.map(({ file }) => file),
  ];
  const parts = files.map((file, index) => ({ file, identifier: identifierOfFile(topic, index + 1) }));
  const dependencies = parts.map((part) => `<dependency identifierref="${part.identifier}"/>\n`).join('');
  return [
    writeResource(identifierOfPage(topic), pagePath(topicNumber), dependencies),
    ...parts.map((part) => writeResource(part.identifier, part.file)),
  ].join('');
}

function writeResource(identifierText: string, path: string, dependencies = '') {
  const href = escapeXml(encodePath(path));
  return `<resource identifier="${identifierText}" type="webcontent" href="${href}">\n<file href="${href}"/>\n${dependencies}</resource>\n`;
}
