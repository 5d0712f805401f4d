import { readFileSync } from 'node:fs';
import t from 'tap';

const asset = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url));
interface Named {
  name: string;
}
interface Curriculum {
  levels: (Named & { grades: (Named & { subjects: (Named & { topics: Named[] })[] })[] })[];
}
const { levels: school }: Curriculum = JSON.parse(String(asset('school.json')));
const areUnique = (items: Named[]) => new Set(items.map(({ name }) => name)).size === items.length;

t.test('the sample content has 2 levels, 4 grades, 8 subjects and 24 topics with unique names', async (t) => {
  const grades = school.flatMap((level) => level.grades);
  const subjects = grades.flatMap((grade) => grade.subjects);
  const topics = subjects.flatMap((subject) => subject.topics);
  t.same([school.length, grades.length, subjects.length, topics.length], [2, 4, 8, 24]);
  t.ok(areUnique(school));
  t.ok(school.every((level) => areUnique(level.grades)));
  t.ok(grades.every((grade) => areUnique(grade.subjects)));
  t.ok(subjects.every((subject) => areUnique(subject.topics)));
});

t.test('the document is a PDF with a correct cross-reference offset', async (t) => {
  const text = asset('whole-numbers.pdf').toString('latin1');
  t.match(text, /^%PDF-1\.4\n/);
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  t.equal(text.slice(table, table + 4), 'xref');
});

t.test('the video is a small MP4 that plays before it is completely downloaded', async (t) => {
  const video = asset('number-line.mp4');
  t.equal(video.toString('latin1', 4, 8), 'ftyp');
  t.ok(video.indexOf('moov') < video.indexOf('mdat'));
  t.ok(video.length < 200_000);
});
