import { Readable } from 'node:stream';
import { type Test, test } from 'tap';
import { readEntry } from '../src/curriculum/archive.ts';
import { arrangeItems } from '../src/curriculum/arrange-items.ts';
import { trackUsage } from '../src/curriculum/cartridge-usage.ts';
import { readManifest } from '../src/curriculum/read-manifest.ts';
import { codes, inParts, read } from './cartridge-files.ts';

const manifestOf = (items: string, resources: string, description = '') =>
  `<manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1">
  <metadata><schema>IMS Common Cartridge</schema><schemaversion>1.1.0</schemaversion>
    <lom><general><description><string>${description}</string></description></general></lom></metadata>
  <organizations><organization identifier="o"><item identifier="root">${items}</item></organization></organizations>
  <resources>${resources}</resources>
</manifest>`;
const itemXml = (title: string, children = '', attributes = '') =>
  `<item${attributes}><title>${title}</title>${children}</item>`;
const topicXml = (title: string, resource = 'r') => itemXml(title, '', ` identifierref="${resource}"`);
const resource = '<resource identifier="r" type="webcontent" href="a.pdf"><file href="a.pdf"/></resource>';
const files = new Map([['a.pdf', '%PDF']]);

test('long titles of folders, and the description of a cartridge, are not repeated in what is below', async (t) => {
  const long = 'x'.repeat(100_000);
  const topics = topicXml('One') + topicXml('Two');
  const folders = [long, long, 'C', 'B', 'A'].reduce((inner, title) => itemXml(title, inner), topics);
  const { items, issues } = await read(manifestOf(folders + itemXml('D', topics), resource, long), files);
  t.equal(items.filter(({ kind }) => kind === 'topic').length, 4);
  for (const item of items) t.ok(JSON.stringify(item).length < 10_000, `${item.kind} ${item.name.slice(0, 10)}`);
  const cutNames = codes(issues).filter((code) => code === 'warning TRUNCATED');
  t.equal(cutNames.length, 2, 'the topics below the long folders');
});

const readParts = async (t: Test, items: string, resources: string) => {
  const manifest = manifestOf(items, resources);
  const found = await readManifest(inParts(Buffer.from(manifest)), (issue) => t.fail(issue.message));
  const only = found?.resources.get('r');
  if (!found || !only) throw new Error('the manifest has no such resource');
  return { manifest: found, resource: only };
};

test('a resource has each of its files and dependencies once', async (t) => {
  const repeated =
    '<file href="a.pdf"/><dependency identifierref="s"/><file href="b/../a.pdf"/><dependency identifierref="s"/>';
  const parts = await readParts(t, '', `<resource identifier="r" type="webcontent">${repeated}</resource>`);
  t.same(parts.resource.files, ['a.pdf']);
  t.same(parts.resource.dependencies, ['s']);
});

// As arguments of one call, half as many would already be too many.
const count = 200_000;

test('a cartridge may have very many folders', async (t) => {
  const parts = await readParts(t, itemXml('A', topicXml('B')), resource);
  const folders = Array.from({ length: count }, () => parts.manifest.items).flat();
  const places = arrangeItems({ ...parts.manifest, items: folders }, () => t.fail('no item is empty'));
  t.equal(places[0]?.children[0]?.children.length, count);
});

test('a resource may have very many dependencies', async (t) => {
  const parts = await readParts(t, '', resource);
  const others = Array.from({ length: count }, (_, index) => ({ ...parts.resource, identifier: `s${index}` }));
  const resources = new Map(others.map((other) => [other.identifier, other]));
  const usage = trackUsage(resources);
  usage.addResource({ ...parts.resource, dependencies: [...resources.keys()] });
  const archive = { sizes: new Map(), read: async () => Buffer.alloc(0), open: async () => inParts(Buffer.alloc(0)) };
  t.same([...usage.unused(archive)], []);
});

test('the files of the first links of a page are taken, and a warning says that there are more', async (t) => {
  const link = (path: string) => `<a href="${path}">x</a>`;
  const many = Array.from({ length: 10_000 }, (_, index) => link(`${index}`)).join('');
  const page = resource.replaceAll('a.pdf', 'a.html');
  const readPage = async (html: string) => {
    const pages = new Map([...files, ['b.pdf', '%PDF'], ['a.html', html]] as const);
    const { items, issues } = await read(manifestOf(topicXml('A'), page), pages);
    return { topic: items.at(-1), isWarned: codes(issues).includes('warning TOO_MANY_LINKS') };
  };
  t.match(await readPage(link('a.pdf') + many + link('b.pdf')), {
    topic: { documents: [{ file: 'a.pdf' }] },
    isWarned: true,
  });
  t.match(await readPage(link('a.pdf') + link('b.pdf').repeat(20_000)), {
    topic: { documents: [{ file: 'a.pdf' }, { file: 'b.pdf' }] },
    isWarned: false,
  });
});

test('a file of an archive that is larger than it says is not read', async (t) => {
  // Empty blocks of deflate take bytes without being any.
  const bytes = Buffer.alloc(2_000);
  const entry = { name: 'a.html', size: 1, compressedSize: bytes.length };
  let reads = 0;
  const read = async () => {
    reads += 1;
    return bytes;
  };
  const open = async () => Readable.from([bytes]);
  await t.rejects(() => readEntry({ ...entry, open, read }, 1_000), { name: 'ArchiveRefused', entry: 'a.html' });
  t.equal(reads, 0);
  t.equal(await readEntry({ ...entry, open, read }, 2_000), bytes);
});
