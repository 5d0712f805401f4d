import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { nodes as nodeRepository } from '../src/hierarchy/repository.ts';
import type { Kind } from '../src/hierarchy/table.ts';
import { writeNodes } from '../src/hierarchy/write-nodes.ts';
import { admin } from './content-service.ts';
import { startImports } from './import-service.ts';

const service = await startImports(t);
const { call, runJson, run, upload, nodes, database, path } = service;

const topic = (name: string, fields: Record<string, unknown> = {}) => ({
  ...{ name, description: 'About it', content: 'A text' },
  ...fields,
});
const subject = (name: string, topics?: unknown[], fields: Record<string, unknown> = {}) => ({
  ...{ name, description: 'A subject', ...(topics && { topics }) },
  ...fields,
});
const school = (name: string, subjects?: unknown[]) => [
  { name, description: 'A school', grades: [{ name: 'Grade 1', level: 'primary', ...(subjects && { subjects }) }] },
];
const eventsSince = async (ordinal: number) =>
  (await database.sql<{ type: string }[]>`select type from outbox where ordinal > ${ordinal} order by ordinal`).map(
    ({ type }) => type,
  );
const isNoProgress = (type: string) => type !== 'content.import.progressed';
const lastOrdinal = async () => {
  const [row] = await database.sql<{ last: number }[]>`select coalesce(max(ordinal), 0)::int as last from outbox`;
  return row?.last ?? 0;
};

t.test('a curriculum is created with one event per item, and importing it again changes nothing', async (t) => {
  const before = await lastOrdinal();
  const levels = school('Created', [subject('Algebra', [topic('Sums'), topic('Powers', { isActive: false })])]);
  const result = await runJson(levels);
  t.match(result, { status: 'completed', percent: 100, issues: [], issueCount: 0, mode: 'upsert' });
  t.same(result.counts, { created: 5, updated: 0, unchanged: 0, deleted: 0, media: 0 });
  const all = await nodes();
  t.match(all.get('Sums'), { position: 0, is_live: true, parent_id: all.get('Algebra')?.id });
  t.match(all.get('Powers'), { position: 1, is_live: false, is_active: false });
  t.same((await eventsSince(before)).filter(isNoProgress), [
    'content.import.created',
    'content.level.created',
    'content.grade.created',
    'content.subject.created',
    'content.topic.created',
    'content.topic.created',
    'content.import.completed',
  ]);
  const [event] = await database.sql`select actor_id from outbox where aggregate_id = ${all.get('Sums')?.id}`;
  t.equal(event?.actor_id, admin.userId);
  const again = await runJson(levels);
  t.same(again.counts, { created: 0, updated: 0, unchanged: 5, deleted: 0, media: 0 });
  const list = await call('GET', `${path}?limit=1&status=completed`, { as: admin });
  t.match(list.json, { data: [{ id: again.id }], pagination: { total: 2 } });
});

t.test('an upsert finds items by external id, else by name, and leaves what the file leaves out', async (t) => {
  await runJson(school('Upsert', [subject('Old', [topic('One', { externalId: 'u:1' }), topic('Two')])]));
  const before = await nodes();
  const { counts } = await runJson(
    school('Upsert', [
      { name: 'Old', topics: [{ name: 'Renamed', externalId: 'u:1' }, topic('Two', { content: 'New' })] },
    ]),
  );
  t.same(counts, { created: 0, updated: 2, unchanged: 3, deleted: 0, media: 0 });
  const after = await nodes();
  t.equal(after.get('Renamed')?.id, before.get('One')?.id);
  t.match(after.get('Renamed'), { content: 'A text', description: 'About it' });
  t.match(after.get('Two'), { id: before.get('Two')?.id, content: 'New', position: 1 });

  const swapped = [topic('Two', { externalId: 'u:1' }), topic('Renamed', { externalId: 'u:2' })];
  await call('PUT', `/api/admin/education/topics/${before.get('Two')?.id}`, { as: admin, body: { externalId: 'u:2' } });
  t.match(await runJson(school('Upsert', [{ name: 'Old', topics: swapped }])), { status: 'completed', issues: [] });
  t.equal((await nodes()).get('Two')?.id, before.get('One')?.id, 'names are exchanged');
  const [event] = await database.sql`select changes from outbox
    where aggregate_id = ${before.get('One')?.id} order by ordinal desc limit 1`;
  t.same(event?.changes.name, { from: 'Renamed', to: 'Two' });

  const moved = await runJson(school('Upsert', [subject('New', [topic('Two', { externalId: 'u:1' })])]));
  t.match(moved.counts, { created: 1, updated: 1, unchanged: 2 });
  t.match((await nodes()).get('Two'), { parent_id: (await nodes()).get('New')?.id });
});

t.test('a new item without a position comes after those before it in the file', async (t) => {
  const positions = async (names: string[]) => {
    const all = await nodes();
    return names.map((name) => all.get(name)?.position);
  };
  const fifth = subject('Fifth', [
    topic('P1', { position: 5 }),
    topic('P2'),
    topic('P3', { position: 2 }),
    topic('P4'),
  ]);
  const zero = subject('Zero', [topic('P5', { position: 0 }), topic('P6')]);
  await runJson(school('Positions', [fifth, zero]));
  t.same(await positions(['P1', 'P2', 'P3', 'P4', 'P5', 'P6']), [5, 6, 2, 7, 0, 1]);
  const again = [subject('Zero', [topic('P6', { position: 9 }), topic('P7')]), subject('Fifth', [topic('P8')])];
  await runJson(school('Positions', again));
  t.same(await positions(['P5', 'P6', 'P7', 'P8']), [0, 9, 10, 8]);
});

t.test('a mirror deletes what lists of the file leave out, and nothing else', async (t) => {
  await runJson(
    school('Mirror', [
      subject('Kept', [topic('A'), topic('B')]),
      subject('Gone', [topic('C')]),
      subject('Whole', [topic('D')]),
    ]),
  );
  await runJson(school('Mirror elsewhere', []));
  const levels = school('Mirror', [subject('Kept', [topic('A')]), { name: 'Whole' }]);
  t.match((await runJson(levels, '?mode=mirror&dryRun=false')).counts, { unchanged: 5, deleted: 3 });
  const left = await nodes();
  for (const name of ['Kept', 'A', 'Whole', 'D', 'Mirror elsewhere']) t.ok(left.has(name), name);
  for (const name of ['B', 'Gone', 'C']) t.notOk(left.has(name), name);

  const [level] = levels;
  const partial = [{ ...level, partial: true, grades: [] }];
  t.match((await runJson(partial, '?mode=mirror')).counts, { unchanged: 1, deleted: 0 });
  const rescued = school('Mirror', [subject('Other', [topic('D', { externalId: 'd' })])]);
  await call('PUT', `/api/admin/education/topics/${left.get('D')?.id}`, { as: admin, body: { externalId: 'd' } });
  t.match(await runJson(rescued, '?mode=mirror'), {
    status: 'failed',
    issues: [{ code: 'MOVED_FROM_DELETED', pointer: '/levels/0/grades/0/subjects/0/topics/0' }],
  });
  t.ok((await nodes()).has('Whole'), 'nothing has changed');
});

t.test('create fails if an item exists, with a pointer to each', async (t) => {
  await runJson(school('Create', [subject('S')]));
  const result = await runJson(school('Create', [subject('S'), subject('T')]), '?mode=create');
  t.match(result, { status: 'failed', counts: { created: 0 }, issueCount: 3 });
  t.same(
    result.issues.map(({ pointer, code }) => `${code} ${pointer}`),
    ['EXISTS /levels/0', 'EXISTS /levels/0/grades/0', 'EXISTS /levels/0/grades/0/subjects/0'],
  );
  t.notOk((await nodes()).has('T'));
  t.match(await runJson(school('Created alone', [subject('T')]), '?mode=create'), { status: 'completed' });
});

t.test('a dry run responds with the result, and changes nothing', async (t) => {
  const before = await lastOrdinal();
  const body = { version: 1, levels: school('Dry', [subject('S', [topic('T')])]) };
  const dry = await call('POST', `${path}?dryRun=true`, { as: admin, body });
  t.equal(dry.status, 200);
  t.match(dry.json.data, { status: 'completed', dryRun: true, counts: { created: 4 }, percent: 100 });
  t.notOk((await nodes()).has('Dry'));
  t.same((await eventsSince(before)).filter(isNoProgress), ['content.import.created', 'content.import.completed']);
  const wrong = await upload('x.json', '{"version": 2}', '?dryRun=true');
  t.match(wrong, { status: 200, data: { status: 'failed', issueCount: 2 } });
  await service.waitForNoFiles();
});

t.test('dry runs take turns; one whose turn does not come in time is a 503 and leaves nothing', async (t) => {
  const count = async () => {
    const [row] = await database.sql<{ count: number }[]>`select count(*)::int from imports`;
    return row?.count ?? 0;
  };
  const storedFiles = async () =>
    (await service.mediaDatabase.sql`select from objects where key like 'job-file%'`).length;
  const before = await count();
  const dryRun = (name: string) => upload(name, '{"version": 2}', '?dryRun=true');
  const release = service.holdFiles();
  const first = dryRun('first.json');
  await waitFor(async () => (await count()) === before + 1, { until: 'the first runs' });
  let isRefused = false;
  const late = dryRun('late.json').finally(() => (isRefused = true));
  await waitFor(async () => isRefused || (await count()) > before + 1, { until: 'the late one ends or begins' });
  t.equal(await count(), before + 1, 'it has not begun');
  await waitFor(async () => (await storedFiles()) === 1 || !isRefused, {
    until: 'the file of the late one is deleted',
  });
  const second = dryRun('second.json');
  await waitFor(async () => (await storedFiles()) > 1, { until: 'the second waits' });
  release();
  t.match(await Promise.all([first, late, second]), [{ status: 200 }, { status: 503 }, { status: 200 }]);
  await service.waitForNoFiles();
});

t.test('all problems of a file are reported with their place, and nothing changes', async (t) => {
  const levels = [
    {
      name: ' ',
      colour: 'typo',
      grades: [
        { name: 'G', level: 'nursery' },
        { name: 'H', subjects: [{ name: 'S', description: 'x', topics: [{ name: 'T', description: 'x' }] }] },
      ],
    },
    { name: 'L', description: 'x', externalId: 'same', position: -1 },
    'text',
    { name: 'M', description: 'x', externalId: 'same', grades: {} },
  ];
  const result = await runJson(levels);
  t.match(result, { status: 'failed', counts: { created: 0, updated: 0 } });
  const found = result.issues.map(({ pointer, code }) => `${code} ${pointer}`);
  for (const expected of [
    'UNKNOWN_FIELD /levels/0/colour',
    'INVALID /levels/0/name',
    'INVALID /levels/0/grades/0/level',
    'INVALID /levels/1/position',
    'INVALID /levels/2',
    'INVALID /levels/3/grades',
  ])
    t.ok(found.includes(expected), `${expected} in ${found.join(', ')}`);

  const later = await runJson([
    { name: 'L', description: 'x', grades: [{ name: 'G' }, { name: 'G', level: 'primary' }] },
    { name: 'N', externalId: 'same' },
    { name: 'O', description: 'x', externalId: 'same' },
  ]);
  t.same(later.issues.map(({ pointer, code }) => `${code} ${pointer}`).sort(), [
    'DUPLICATE_EXTERNAL_ID /levels/2',
    'DUPLICATE_NAME /levels/0/grades/1',
    'REQUIRED /levels/0/grades/0',
    'REQUIRED /levels/1',
  ]);
  const many = await runJson(Array.from({ length: 1_200 }, () => ({ name: '' })));
  t.match(many, { status: 'failed', issueCount: 1_200 });
  t.equal(many.issues.length, 1_000);
});

t.test('lengths of names are counted in characters, and messages are those of the other endpoints', async (t) => {
  const name = (letter: string, length: number) => letter + '😀'.repeat(length - 1);
  t.match(await runJson([{ name: name('L', 200), description: '😀'.repeat(5_000) }]), { status: 'completed' });
  const { issues } = await runJson([
    { name: name('L', 201), description: 'x', imageUrl: 'ftp://x' },
    { name: 'Messages', description: 5, grades: [{ name: 'G', level: 'nursery' }] },
  ]);
  t.same(issues.map(({ message }) => message).sort(), [
    'description: must be string',
    'imageUrl: must be an absolute http or https URL without credentials',
    'level: must be one of primary, secondary, higher',
    'name: must NOT have more than 200 characters',
  ]);
});

t.test('files that are not JSON of the format fail with the reason', async (t) => {
  const files: Record<string, [string, string]> = {
    '': ['INVALID_JSON', ''],
    '{"version": 1, "levels": [': ['INVALID_JSON', ''],
    '{"version": 1, "levels": [{"name": "x" "y"}]}': ['INVALID_JSON', '/levels/0'],
    '[]': ['INVALID', ''],
    '{"version": 1, "levels": [], "extra": 1}': ['UNKNOWN_FIELD', '/extra'],
    '{"version": 1, "levels": [{"name": "x", "name": "y"}]}': ['INVALID', '/levels/0/name'],
    '{"version": 1, "levels": [{"__proto__": {"x": 1}}]}': ['INVALID', '/levels/0/__proto__'],
    '{"levels": []}': ['REQUIRED', '/version'],
    '{"version": 1, "levels": []}{"version": 1, "levels": [{"name": "x"}]}': ['INVALID_JSON', ''],
    '{"version": 1, "levels": []}]': ['INVALID_JSON', ''],
  };
  for (const [text, [code, pointer]] of Object.entries(files)) {
    if (text === '') continue;
    const result = await run('curriculum.json', text);
    t.match(result, { status: 'failed' }, text);
    t.match(result.issues[0], { code, pointer }, text);
  }
  t.match(await run('x.json', Buffer.from([0x7b, 0xff, 0xfe])), {
    status: 'failed',
    issues: [{ code: 'INVALID_JSON' }],
  });
});

t.test('an import ends as failed whatever text its issues quote', async (t) => {
  const cut = `${'x'.repeat(199)}\u{1f600}`;
  const files: Record<string, [string, string]> = {
    'trailing.json': ['{"version": 1, "levels": []}\0', 'INVALID_JSON'],
    'field.json': ['{"version": 1, "levels": [], "a\\u0000\\ud800": 1}', 'UNKNOWN_FIELD'],
    'file.json': [
      JSON.stringify({ version: 1, levels: school('Q', [subject('S', [topic('T', { documents: [{ file: cut }] })])]) }),
      'MISSING_FILE',
    ],
    'column.csv': ['level,a\0b\nL,x\n', 'UNKNOWN_COLUMN'],
  };
  for (const [name, [text, code]] of Object.entries(files))
    t.match(await run(name, text), { status: 'failed', issues: [{ code }] }, name);
  t.match((await run('field.json', files['field.json']?.[0] ?? '')).issues, [{ pointer: '/a\ufffd\ufffd' }]);
});

t.test('a flat outline is imported from CSV, with the line of each problem', async (t) => {
  const csv = [
    '\ufefflevel,grade,subject,topic,description,externalId',
    'Table,,,,"A level, from a table",csv:level',
    'Table,Grade 1,History,Egypt,"Pyramids',
    'and more",csv:egypt',
    'Table,Grade 1,History,Rome,,',
    "Table,Grade 1,History,'=Sum,,",
  ].join('\r\n');
  t.match(await run('Outline.CSV', csv), { status: 'completed', counts: { created: 6 } });
  const all = await nodes();
  t.match(all.get('Egypt'), { description: 'Pyramids\r\nand more', external_id: 'csv:egypt', content: /Pyramids/ });
  t.match(all.get('Rome'), { description: 'Rome' });
  t.match(all.get('Table'), { description: 'A level, from a table' });
  t.match(await run('outline.csv', csv), { counts: { unchanged: 6, updated: 0 } });
  t.ok(all.has('=Sum'), 'without the protection against formulas');

  const spellings = 'level,grade\n Cafe\u0301 ,\nCaf\u00e9,Grade 1\n';
  t.match(await run('spellings.csv', spellings), { status: 'completed', counts: { created: 2 } });
  t.match((await nodes()).get('Caf\u00e9'), { description: 'Caf\u00e9' });

  const wrong = 'level,grade,topic,colour\nA,,Topic,\nA,B,,\nA,B,,\n';
  const { issues } = await run('wrong.csv', wrong);
  t.same(
    issues.map(({ line, code }) => [line, code]),
    [
      [1, 'UNKNOWN_COLUMN'],
      [2, 'REQUIRED'],
      [4, 'DUPLICATE'],
    ],
  );
  for (const end of ['\n', '\r\n', '\r'])
    t.match(
      (await run('ends.csv', `level,grade,topic${end}A,B,\r\n\r\nA,C,\rA,B,\nA,,Topic\r\n`)).issues,
      [
        { line: 5, code: 'DUPLICATE' },
        { line: 6, code: 'REQUIRED' },
      ],
      JSON.stringify(end),
    );
  t.match(await run('twice.csv', 'level,description,level\nA,x,B\n'), {
    status: 'failed',
    issues: [{ line: 1, code: 'DUPLICATE_COLUMN', message: 'level: the column is given twice' }],
  });
  const sheet = '\ufefflevel;grade\r\n"A ""sheet""";\r\n;\r\n"A ""sheet""";"Grade; 1"\r\n';
  for (const text of [sheet, sheet.replaceAll(';', '\t')])
    t.match(await run('sheet.csv', text), { status: 'completed', issueCount: 0 }, text);
  t.ok((await nodes()).has('Grade; 1'));
  for (const text of ['level\n"open', 'level\nA "name"', 'level\n"A" name'])
    t.match(await run('x.csv', text), { status: 'failed', issues: [{ code: 'INVALID_CSV', line: 2 }] }, text);
  t.match(await run('x.csv', 'level\n"open'), { status: 'failed', issues: [{ code: 'INVALID_CSV' }] });
  t.match(await run('x.csv', Buffer.from('level\n\xff\xfe', 'latin1')), { issues: [{ code: 'INVALID_CSV' }] });
  t.match(await run('x.csv', 'level\n'), { issues: [{ code: 'EMPTY' }] });
});

t.test('an import without positions takes one lock, however many parents its items have', async (t) => {
  const count = 300;
  await database.db.transaction(async (tx) => {
    await nodeRepository(tx).lockStructure();
    const write = async (kind: Kind, parentIds: (string | null)[], columns: { level?: 'primary' }) => {
      const given = parentIds.map((parentId, index) => {
        return { id: createId(), isNew: true, parentId, fields: { ...columns, name: `Locked ${index}` } };
      });
      await writeNodes(tx, kind, given, { cause: {}, formerNames: new Map() });
      return given.map(({ id }) => id);
    };
    const levels = await write('level', Array(count).fill(null), {});
    await write('grade', levels, { level: 'primary' });
    const locks = await tx.execute(`select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`);
    t.equal(locks.length, 1);
  });
});

t.test('requests that cannot become an import are refused', async (t) => {
  t.match(await upload('course.rar', 'x'), {
    status: 400,
    json: { code: 'UNSUPPORTED_FORMAT', details: { extension: 'rar', accepted: ['json', 'zip', 'csv', 'imscc'] } },
  });
  t.match(await upload('x.json', ''), {
    status: 422,
    json: { code: 'VALIDATION_ERROR', details: { field: 'file', message: 'must not be empty' } },
  });
  t.match(await call('POST', path, { as: admin }), {
    status: 422,
    json: { code: 'VALIDATION_ERROR', details: { field: 'body', message: 'must not be empty' } },
  });
  t.equal((await upload('x.json', '{}', '?mode=other')).status, 422);
  t.equal((await upload('x.json', '{}', '', testPrincipal(['MENTOR']))).status, 403);
  const form = new FormData();
  form.append('other', new File(['{}'], 'x.json'));
  const { app, url } = service;
  const { passportHeaders } = await import('@lms/testing/principals');
  const headers = passportHeaders(admin);
  t.equal((await fetch(url + path, { method: 'POST', body: form, headers })).status, 422, 'another part');
  for (const name of ['dryRun', 'mode']) {
    const late = new FormData();
    late.append('file', new File(['{}'], 'x.json'));
    late.append('note', 'ignored');
    late.append(name, 'true');
    const refused = await fetch(url + path, { method: 'POST', body: late, headers });
    t.match(JSON.parse(await refused.text()), { details: { field: name, message: 'is a query parameter' } });
    t.equal(refused.status, 422);
  }
  const broken = { ...headers, 'content-type': 'multipart/form-data; boundary=x' };
  const cut = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{"ver';
  t.equal((await fetch(url + path, { method: 'POST', body: cut, headers: broken })).status, 400, 'a cut form');
  const partOf = (more: string) =>
    `--x\r\nContent-Disposition: form-data; name="file"${more}\r\n\r\n{"version":1,"levels":[]}\r\n--x--\r\n`;
  const unnamed = partOf('\r\nContent-Type: application/octet-stream');
  const response = await fetch(url + path, { method: 'POST', body: unnamed, headers: broken });
  t.match(await response.json(), { code: 'UNSUPPORTED_FORMAT', details: { extension: '' } }, 'a file without a name');
  const long = partOf(`; filename="${'\u{1F600}'.repeat(250)}xx.json"`);
  const accepted = await fetch(url + path, { method: 'POST', body: long, headers: broken });
  t.match(await accepted.json(), { data: { fileName: `${'\u{1F600}'.repeat(193)}xx.json` } }, 'a long name');
  const huge = { ...broken, 'content-length': String(3 * 1024 ** 3) };
  t.equal((await app.inject({ method: 'POST', url: path, headers: huge, payload: '' })).statusCode, 413);
  t.equal((await call('GET', `${path}/${'a'.repeat(24)}`, { as: admin })).status, 404);
  const cancel = `${path}/${'a'.repeat(24)}/cancel`;
  t.equal((await call('POST', cancel, { as: admin })).status, 404);
  t.equal((await fetch(url + cancel, { method: 'POST', body: form, headers })).status, 415, 'a form to cancel');
  await service.waitForNoFiles();
});

t.test('an Idempotency-Key makes one import of repeated requests', async (t) => {
  const request = {
    as: admin,
    body: { version: 1, levels: school('Once') },
    headers: { 'idempotency-key': 'import-1' },
  };
  const [first, second] = [await call('POST', path, request), await call('POST', path, request)];
  t.equal(first.status, 202);
  t.equal(second.json.data.id, first.json.data.id);
  t.equal(second.headers['idempotency-replayed'], 'true');
  t.match(await service.end(first.json.data.id), { status: 'completed' });
});

t.test('several imports at once, also of the same items, all end', async (t) => {
  const names = ['P', 'Q', 'P', 'Q', 'R'];
  const results = await Promise.all(
    names.map((name) => runJson(school(`Parallel ${name}`, [subject('S', [topic('T', { externalId: `p:${name}` })])]))),
  );
  t.same(
    results.map(({ status }) => status),
    names.map(() => 'completed'),
  );
  const created = results.reduce((sum, { counts }) => sum + counts.created, 0);
  t.equal(created, 12);
});
