import { test } from 'tap';
import type { CurriculumItem, Issue } from '../src/curriculum/items.ts';
import { InvalidXml, parseXml, type XmlElement } from '../src/curriculum/parse-xml.ts';
import { readCartridge } from '../src/curriculum/read-cartridge.ts';
import { pagePath, writeManifest, writePage } from '../src/curriculum/write-cartridge.ts';
import { codes, inParts, outline, read } from './cartridge-files.ts';

const item = (fields: Pick<CurriculumItem, 'kind' | 'name'> & Partial<CurriculumItem>): CurriculumItem => ({
  externalId: null,
  description: `About ${fields.name}`,
  position: 0,
  isActive: true,
  ...fields,
});

/** Everything that a cartridge can hold, with characters that XML, HTML and URLs treat specially. */
const school: CurriculumItem[] = [
  item({ kind: 'level', name: 'School & "more"', externalId: 'L/1 ü', imageUrl: 'https://pictures.example/a?b=1&c=2' }),
  item({
    kind: 'grade',
    name: 'Grade 5',
    description: '',
    level: 'primary',
    imageUrl: null,
    isActive: false,
    partial: true,
  }),
  item({ kind: 'subject', name: 'Without topics', imageUrl: null, externalId: 's-0' }),
  item({ kind: 'subject', name: 'Numbers', imageUrl: null, externalId: 's-1', position: 1 }),
  item({
    kind: 'topic',
    name: 'Text <1>',
    externalId: 't-1',
    description: ' two\r\nlines\tand a tab ',
    content: '1 < 2 && 3 > 2\r\n\t"quoted" &amp; not an entity',
    video: {
      file: 'videos/00001/a lesson.webm',
      captions: [
        { language: 'en-GB', file: 'captions/00001/en-GB.vtt', label: 'English', kind: 'subtitles', default: true },
      ],
    },
    documents: [
      { file: 'documents/00001/01/50% more#1.pdf', name: 'Sheet <1>', description: '' },
      { file: 'documents/00001/02/наука.txt', name: 'Наука', description: 'In "Cyrillic"' },
    ],
  }),
  item({
    kind: 'topic',
    name: 'HTML',
    position: 1,
    content: '<p class="x">A <b>bold</b> &eacute;</p></div><!-- topic-content -->\n</body>',
    video: null,
    documents: [],
  }),
  item({ kind: 'level', name: 'Empty', imageUrl: null, position: 1 }),
].map((each, index) => ({ ...each, id: `id${index}` }));

async function* each<T>(values: T[]) {
  yield* values;
}

async function writeCartridge(items: CurriculumItem[]) {
  const files = new Map<string, string>();
  let manifest = '';
  for await (const part of writeManifest({ title: 'All <of> it', key: 'all', items: () => each(items) }))
    manifest += part;
  const topics = items.filter(({ kind }) => kind === 'topic');
  for (const [index, topic] of topics.entries()) {
    files.set(pagePath(index + 1), writePage(topic));
    const { video, documents = [] } = topic;
    for (const { file } of [...(video ? [video, ...(video.captions ?? [])] : []), ...documents])
      files.set(file, 'bytes');
  }
  return { manifest, files };
}

test('what a cartridge can hold is the same after it was written and read', async (t) => {
  const { manifest, files } = await writeCartridge(school);
  const { said, issues } = await read(manifest, files);
  t.strictSame(issues, []);
  // No picture, no files and an active item are what a new item has, and not in the cartridge.
  const usual = ['null', 'true', '[]'];
  const expected = school.map(({ id, position, partial, ...fields }) => ({
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => !usual.includes(JSON.stringify(value)))),
    ...(partial && { partial }),
    // Levels and the subjects below the partial grade may have siblings that are not in the cartridge.
    ...(['grade', 'topic'].includes(fields.kind) && { position }),
  }));
  t.strictSame(said, expected);
});

// The order of elements, and the attributes, of the schema ccv1p3_imscp_v1p2_v1p0.xsd.
const schema: Record<string, { children: string[]; required: string[]; optional: string[] }> = {
  manifest: {
    children: ['metadata', 'organizations', 'resources'],
    required: ['identifier'],
    optional: ['schemaLocation'],
  },
  organizations: { children: ['organization'], required: [], optional: [] },
  organization: { children: ['title', 'item', 'metadata'], required: ['identifier', 'structure'], optional: [] },
  item: { children: ['title', 'item', 'metadata'], required: ['identifier'], optional: ['identifierref'] },
  resources: { children: ['resource'], required: [], optional: [] },
  resource: { children: ['metadata', 'file', 'dependency'], required: ['identifier', 'type'], optional: ['href'] },
  file: { children: [], required: ['href'], optional: [] },
  dependency: { children: [], required: ['identifierref'], optional: [] },
};

function* descendants(element: XmlElement): Generator<XmlElement> {
  yield element;
  if (element.name !== 'metadata') for (const child of element.children) yield* descendants(child);
}

test('the manifest follows the rules of Common Cartridge 1.3', async (t) => {
  const { manifest, files } = await writeCartridge(school);
  const root = parseXml(manifest);
  const all = [...descendants(root)];
  const identifiers = all.flatMap(({ attributes }) => attributes.get('identifier') ?? []);
  t.equal(new Set(identifiers).size, identifiers.length, 'identifiers are unique');
  t.ok(
    identifiers.every((identifier) => /^[A-Za-z_][\w.-]*$/.test(identifier)),
    'identifiers are XML names',
  );
  for (const { name, attributes, children } of all) {
    if (name === 'metadata' || name === 'title') continue;
    const rules = schema[name] ?? { children: [], required: ['an element of the schema'], optional: [] };
    const names = [...attributes.keys()].filter((attribute) => !['xmlns', 'lom', 'xsi'].includes(attribute));
    t.ok(
      rules.required.every((attribute) => names.includes(attribute)),
      `${name} has its attributes`,
    );
    t.ok(
      names.every((attribute) => [...rules.required, ...rules.optional].includes(attribute)),
      `${name} has no others`,
    );
    const order = children.map((child) => rules.children.indexOf(child.name));
    t.ok(
      order.every((at, index) => at >= 0 && at >= (order[index - 1] ?? 0)),
      `${name} has its elements in order`,
    );
    const reference = attributes.get('identifierref');
    if (reference !== undefined) t.ok(identifiers.includes(reference), 'references lead to an identifier');
    if (name === 'item' && reference !== undefined)
      t.notOk(
        children.some((child) => child.name === 'item'),
        'an item with a resource has no items',
      );
    if (name === 'resource') {
      const hrefs = children
        .filter((child) => child.name === 'file')
        .map((child) => child.attributes.get('href') ?? '');
      t.strictSame(hrefs, [attributes.get('href')], 'the address of a resource is that of its file');
      t.ok(files.has(decodeURIComponent(hrefs[0] ?? '')), 'the file is in the cartridge');
    }
  }
  const [metadata, organizations] = root.children;
  t.strictSame(
    metadata?.children.map(({ name, text }) => [name, text]),
    [
      ['schema', 'IMS Common Cartridge'],
      ['schemaversion', '1.3.0'],
      ['lom', ''],
    ],
  );
  const rootItem = organizations?.children[0]?.children[0];
  t.notOk(
    rootItem?.children.some(({ name }) => name === 'title'),
    'the root item has no title',
  );
  const later = school.map((each) => ({ ...each, id: `other${each.id}` }));
  const known = identifiers.filter((identifier) => !/-id-/.test(identifier));
  const again = (await writeCartridge(later)).manifest;
  t.ok(
    known.every((identifier) => again.includes(`"${identifier}"`)),
    'identifiers made from external ids do not change',
  );
});

test('identifiers are unique whatever the external ids end in', async (t) => {
  const [level, grade, , subject, topic] = school;
  const externalIds = ['intro', 'intro-page', 'intro-file-1', '1-intro', 'page-intro'];
  const topics = externalIds.map((externalId) => ({
    ...item({ kind: 'topic', name: externalId }),
    ...topic,
    externalId,
  }));
  const given = [level, grade, subject].flatMap((each) => each ?? []);
  const { manifest } = await writeCartridge([...given, ...topics]);
  const identifiers = [...descendants(parseXml(manifest))].flatMap(
    ({ attributes }) => attributes.get('identifier') ?? [],
  );
  t.strictSame(
    identifiers.filter((identifier, index) => identifiers.indexOf(identifier) !== index),
    [],
  );
});

const manifestOf = (organizations: string, resources: string, version = '1.1.0', schemaName = 'IMS Common Cartridge') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1" xmlns:lomimscc="http://ltsc.ieee.org/xsd/imsccv1p1/LOM/manifest" xmlns:cpx="http://www.imsglobal.org/xsd/imsccv1p3/imscp_extensionv1p2">
  <metadata><schema>${schemaName}</schema><schemaversion>${version}</schemaversion>
    <lomimscc:lom><lomimscc:general><lomimscc:title><lomimscc:string>Course</lomimscc:string></lomimscc:title></lomimscc:general></lomimscc:lom>
  </metadata>
  <organizations><organization identifier="o" structure="rooted-hierarchy"><item identifier="root">${organizations}</item></organization></organizations>
  <resources>${resources}</resources>
</manifest>`;

let nextItem = 0;
const itemXml = (title: string, resource?: string, children = '') => {
  nextItem += 1;
  const reference = resource === undefined ? '' : ` identifierref="${resource}"`;
  return `<item identifier="i${nextItem}"${reference}><title>${title}</title>${children}</item>`;
};
const resourceXml = (identifier: string, type: string, href: string, inner = '') =>
  `<resource identifier="${identifier}" type="${type}" href="${href}"><file href="${href}"/>${inner}</resource>`;

test('a course of another product becomes topics with documents, and what has no place is reported', async (t) => {
  const module = [
    itemXml('Page', 'page'),
    itemXml('Heading'),
    itemXml('Quiz', 'quiz'),
    itemXml('Discussion', 'discussion'),
    itemXml('Link', 'link'),
    itemXml('Tool', 'tool'),
    itemXml('Handout', 'pdf'),
    itemXml('Film', 'film'),
    itemXml('Task', 'task'),
    itemXml('Old task', 'oldTask'),
    itemXml('Page', 'gone'),
    itemXml('Page', 'unlisted'),
    itemXml('Page', 'second'),
  ].join('');
  const manifest = manifestOf(
    itemXml('First module', undefined, module),
    [
      resourceXml('page', 'webcontent', 'wiki_content/page%201.html', '<dependency identifierref="data"/>'),
      resourceXml('data', 'associatedcontent/imscc_xmlv1p1/learning-application-resource', 'data.csv'),
      resourceXml('second', 'webcontent', 'wiki_content/second.html'),
      resourceXml('quiz', 'imsqti_xmlv1p2/imscc_xmlv1p1/assessment', 'quiz.xml'),
      resourceXml('discussion', 'imsdt_xmlv1p1', 'discussion.xml'),
      resourceXml('link', 'imswl_xmlv1p1', 'link.xml'),
      resourceXml('tool', 'imsbasiclti_xmlv1p0', 'tool.xml'),
      resourceXml('pdf', 'webcontent', 'web_resources/handout.pdf'),
      resourceXml('film', 'webcontent', 'web_resources/film.mp4'),
      resourceXml('task', 'assignment_xmlv1p0', 'task/assignment.xml'),
      '<resource identifier="taskPage" type="webcontent"><cpx:variant identifier="v" identifierref="task"><cpx:metadata/></cpx:variant><file href="task/task.html"/></resource>',
      resourceXml('oldTask', 'associatedcontent/imscc_xmlv1p1/learning-application-resource', 'old/task.html'),
      resourceXml('gone', 'webcontent', 'gone.html'),
      resourceXml('settings', 'associatedcontent/imscc_xmlv1p1/learning-application-resource', 'course_settings/a.txt'),
      resourceXml('photo', 'webcontent', 'web_resources/photo.jpg'),
    ].join(''),
  );
  const page =
    '<html><head><title>x</title></head><body class="a">\n<p>Hi <img src="$IMS-CC-FILEBASE$/photo.jpg"><a href="https://example.com/a.pdf">x</a><a href="../../../etc/passwd">y</a></p>\n</body></html>';
  const files = new Map([
    ['wiki_content/page 1.html', page],
    ['wiki_content/second.html', '<body></body>'],
    ['data.csv', 'a,b'],
    ['quiz.xml', '<x/>'],
    ['discussion.xml', '<x/>'],
    ['link.xml', '<webLink xmlns="x"><title>A site</title><url href="https://example.com/?a=1&amp;b=2"/></webLink>'],
    ['tool.xml', '<x/>'],
    ['web_resources/handout.pdf', '%PDF'],
    ['web_resources/film.mp4', 'mp4'],
    ['web_resources/photo.jpg', 'jpg'],
    ['task/assignment.xml', '<x/>'],
    ['task/task.html', '<p>Do it</p>'],
    ['old/task.html', '<p>Did it</p>'],
    ['course_settings/a.txt', 'x'],
    ['stray.txt', 'x'],
  ]);
  const { items, said, issues } = await read(manifest, files);
  const topics = ['Page', 'Link', 'Handout', 'Film', 'Task', 'Old task', 'Page (2)'];
  t.strictSame(outline(items), [
    'level Course',
    'grade Course',
    'subject First module',
    ...topics.map((name) => `topic ${name}`),
  ]);
  const topic = (name: string) => items.find((each) => each.kind === 'topic' && each.name === name);
  t.match(topic('Page'), {
    content: /^<p>Hi .*<\/p>$/,
    documents: [
      { file: 'data.csv', name: 'data.csv', description: '' },
      { file: 'web_resources/photo.jpg', name: 'photo.jpg', description: '' },
    ],
  });
  t.match(topic('Link'), { content: 'A site\nhttps://example.com/?a=1&b=2' });
  t.match(topic('Handout'), { content: 'Handout', documents: [{ file: 'web_resources/handout.pdf' }] });
  t.match(topic('Film'), { video: { file: 'web_resources/film.mp4' } });
  t.match(topic('Task'), { content: '<p>Do it</p>' });
  t.match(topic('Page (2)'), { content: 'Page', position: 6 });
  t.strictSame(
    said.filter(({ name }) => ['Course', 'First module', 'Link', 'Handout', 'Film'].includes(name)),
    [
      { kind: 'level', name: 'Course' },
      { kind: 'grade', name: 'Course', position: 0 },
      { kind: 'subject', name: 'First module', position: 0 },
      { kind: 'topic', name: 'Link', position: 1, content: 'A site\nhttps://example.com/?a=1&b=2' },
      {
        ...{ kind: 'topic', name: 'Handout', position: 2 },
        documents: [{ file: 'web_resources/handout.pdf', name: 'handout.pdf', description: '' }],
      },
      { kind: 'topic', name: 'Film', position: 3, video: { file: 'web_resources/film.mp4' } },
    ],
    'what the cartridge does not say is left out',
  );
  t.strictSame(codes(issues), [
    'warning EMPTY_ITEM',
    'warning ASSUMED_LEVEL',
    'warning UNSUPPORTED_RESOURCE',
    'warning UNSUPPORTED_RESOURCE',
    'warning UNSUPPORTED_RESOURCE',
    'warning TEXT_ONLY',
    'warning TEXT_ONLY',
    'warning MISSING_FILE',
    'warning MISSING_RESOURCE',
    'warning RENAMED',
    'warning UNUSED_RESOURCE',
    'warning UNUSED_FILE',
  ]);
  t.ok(issues.filter(({ code }) => code === 'UNSUPPORTED_RESOURCE').every(({ line }) => line !== undefined));
});

test('folders become levels, grades and subjects by their depth', async (t) => {
  const resources = resourceXml('r', 'webcontent', 'a.html');
  const files = new Map([['a.html', 'text']]);
  const of = async (organizations: string) => outline((await read(manifestOf(organizations, resources), files)).items);
  t.strictSame(await of(''), []);
  t.strictSame(await of(itemXml('T', 'r')), ['level Course', 'grade Course', 'subject Course', 'topic T']);
  const two = itemXml('A', undefined, itemXml('T1', 'r') + itemXml('B', undefined, itemXml('T2', 'r')));
  t.strictSame(await of(two), ['level Course', 'grade A', 'subject A', 'topic T1', 'subject B', 'topic T2']);
  const four = ['A', 'B', 'C', 'D'].reduceRight((inner, name) => itemXml(name, undefined, inner), itemXml('T', 'r'));
  t.strictSame(await of(four), ['level A', 'grade B', 'subject C', 'topic D / T']);
  t.strictSame(await of(itemXml('Chapter', 'r', itemXml('Section', 'r'))), [
    'level Course',
    'grade Course',
    'subject Chapter',
    'topic Chapter',
    'topic Section',
  ]);
});

test('names and texts of other products are cut after as many characters as are allowed', async (t) => {
  const [allowed, tooLong] = ['😀'.repeat(150), '😀'.repeat(201)];
  const manifest = manifestOf(
    [itemXml(allowed, 'r'), itemXml(tooLong, 'r'), itemXml(tooLong, 'long')].join(''),
    resourceXml('r', 'webcontent', 'a.html') + resourceXml('long', 'webcontent', 'long.html'),
  );
  const files = new Map([
    ['a.html', '😀'.repeat(600_000)],
    ['long.html', '😀'.repeat(1_000_001)],
  ]);
  const { items, issues } = await read(manifest, files);
  const topics = items.filter(({ kind }) => kind === 'topic');
  t.strictSame(
    topics.map(({ name, content = '' }) => [name, [...content].length]),
    [
      [allowed, 600_000],
      ['😀'.repeat(200), 600_000],
      [`${'😀'.repeat(190)} (2)`, 1_000_000],
    ],
  );
  const warnings = ['ASSUMED_LEVEL', 'TRUNCATED', 'TRUNCATED', 'TRUNCATED', 'RENAMED'];
  t.strictSame(
    codes(issues),
    warnings.map((code) => `warning ${code}`),
  );
});

test('other packages and hostile documents are refused', async (t) => {
  const issuesOf = async (manifest: string | Buffer) => {
    const { items, issues } = await read(manifest, new Map());
    t.strictSame(items, []);
    return codes(issues);
  };
  t.strictSame(await issuesOf(manifestOf('', '', '2004 4th Edition', 'ADL SCORM')), ['error NOT_A_CARTRIDGE']);
  t.strictSame(await issuesOf(manifestOf('', '', '2.0.0')), ['error NOT_A_CARTRIDGE']);
  t.strictSame(await issuesOf('<manifest/>'), ['error NOT_A_CARTRIDGE']);
  const inUtf16 = Buffer.from(`\ufeff${manifestOf('', '', '2.0.0')}`, 'utf16le');
  t.strictSame(await issuesOf(inUtf16), ['error NOT_A_CARTRIDGE'], 'UTF-16 is read');
  t.strictSame(await issuesOf(Buffer.from([0x3c, 0xff])), ['error INVALID_XML']);
  const entities = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>';
  for (const hostile of [
    '',
    'not XML',
    '<manifest>',
    entities + manifestOf('', ''),
    manifestOf('&a;', ''),
    '<a>'.repeat(1_000) + '</a>'.repeat(1_000),
  ])
    t.strictSame(await issuesOf(hostile), ['error INVALID_XML'], hostile.slice(0, 30));
  const issues: Issue[] = [];
  const empty = {
    sizes: new Map<string, number>(),
    read: async () => Buffer.alloc(0),
    open: async () => inParts(Buffer.alloc(0)),
  };
  for await (const found of readCartridge(empty, (issue) => issues.push(issue))) t.fail(found.fields.name);
  t.strictSame(codes(issues), ['error NOT_A_CARTRIDGE'], 'an archive without manifest');
  t.throws(() => parseXml('<a><b/></a>', { maxCharacters: 5, maxElements: 9, maxDepth: 9 }), InvalidXml);
  t.throws(() => parseXml('<a><b/></a>', { maxCharacters: 99, maxElements: 1, maxDepth: 9 }), InvalidXml);
});
