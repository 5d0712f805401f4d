import { isDeepStrictEqual } from 'node:util';
import { test } from 'tap';
import { isIssue, type ReadEntry } from '../src/curriculum/read-items.ts';
import { readCurriculumJson } from '../src/curriculum/read-json.ts';

/** Reads a file that begins and ends like this, with a part repeated between; `repeated` says how often the part was read. */
async function readRepeated(start: string, part: string, times: number, end = '') {
  let repeated = 0;
  async function* bytes() {
    const first = Buffer.from(start);
    for (let at = 0; at < first.length; at += 65_536) yield first.subarray(at, at + 65_536);
    for (; repeated < times; repeated += 1) yield Buffer.from(part);
    yield Buffer.from(end);
  }
  const entries: ReadEntry[] = [];
  for await (const entry of readCurriculumJson(bytes())) entries.push(entry);
  return { repeated, issues: entries.filter(isIssue), items: entries.filter((entry) => !isIssue(entry)) };
}

test('a value without end is refused before the rest of the file is read, with the place of its item', async (t) => {
  const objects = '{},'.repeat(1_000);
  const level = '{"version":1,"levels":[{"name":"A"},{"name":"B",';
  const grade = `${level}"grades":[{"name":"C"},{"name":"D",`;
  for (const [start, location] of [
    [`${level}"x":[0,`, '/levels/1'],
    [`${level}"name2":1,"grades":[],"x":{"y":[0,`, '/levels/1'],
    [`${grade}"subjects":[{"topics":[{"documents":[`, '/levels/1/grades/1/subjects/0/topics/0'],
    [`${grade}"subjects":[]},[0,`, '/levels/1/grades/2'],
    ['{"version":1,"x":[0,', ''],
  ] as const) {
    const { repeated, issues } = await readRepeated(start, objects, 100);
    t.ok(repeated < 40, `${start}: ${repeated} parts were read`);
    t.match(issues, [{ severity: 'error', location, code: 'INVALID', message: /too many values/ }], start);
  }
  const members = Array.from({ length: 60_000 }, (_, index) => `"${index}":0`).join();
  const many = await readRepeated(`${level}"x":{${members}}}]}`, '', 0);
  t.match(many.issues, [{ location: '/levels/1', code: 'INVALID' }], 'an object of many members');
  const texts = await readRepeated(`${level}"x":["",`, `"${'a'.repeat(1_000_000)}",`, 40);
  t.ok(texts.repeated < 20, `${texts.repeated} texts were read`);
  t.match(texts.issues, [{ location: '/levels/1', code: 'INVALID' }], 'texts');
});

test('the largest topic that is allowed is read, below items with the longest texts', async (t) => {
  // Two UTF-16 code units and four bytes each.
  const text = (length: number) => '😀'.repeat(length);
  const item = { name: text(200), description: text(5_000), externalId: text(200) };
  const documents = Array.from({ length: 1_000 }, (_, index) => ({
    file: `${String(index).padStart(4, '0')}${text(1_020)}`,
    name: text(200),
    description: text(5_000),
  }));
  const captions = Array.from({ length: 100 }, () => ({
    ...{ language: text(35), file: text(1_024), label: text(200), kind: 'captions', default: false },
  }));
  const topic = {
    ...{ ...item, position: 0, isActive: true, content: text(1_000_000) },
    ...{ video: { file: text(1_024), captions }, documents },
  };
  const parent = JSON.stringify(item).slice(0, -1);
  const start = `{"version":1,"levels":[${parent},"grades":[${parent},"subjects":[${parent},"topics":[`;
  const { items, issues } = await readRepeated(start + JSON.stringify(topic), '', 0, ']}]}]}]}');
  t.strictSame(issues, []);
  t.equal(items.length, 4);
  // The difference between such texts takes minutes to show.
  t.ok(isDeepStrictEqual(items[0], { ...items[0], fields: topic }));
});

test('the number of items is not limited by what one of them may have', async (t) => {
  const { items, issues } = await readRepeated(
    '{"version":1,"levels":[{"name":"A"}',
    ',{"name":"B","grades":[{"name":"C"},{"name":"D"}]}'.repeat(1_000),
    10,
    ']}',
  );
  t.strictSame(issues, []);
  t.equal(items.length, 30_001);
});
