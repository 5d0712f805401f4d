const topicsPerSubject = 20;
const subjectsPerGrade = 5;
const gradesPerLevel = 10;
const contentCharacters = 2_000;
const words = 'number line fraction whole part angle circle square root power sum product prime factor ratio'.split(
  ' ',
);

/** A `curriculum.json` with this many topics of 2 KB, each different. */
export function curriculumOf(topics: number): string {
  const children = <T>(total: number, each: number, start: number, make: (index: number, count: number) => T): T[] =>
    Array.from({ length: Math.ceil(total / each) }, (_, index) =>
      make(start + index * each, Math.min(each, total - index * each)),
    );
  const subjectSize = topicsPerSubject;
  const gradeSize = subjectSize * subjectsPerGrade;
  const levels = children(topics, gradeSize * gradesPerLevel, 0, (levelStart, levelCount) => ({
    ...named('level', levelStart),
    grades: children(levelCount, gradeSize, levelStart, (gradeStart, gradeCount) => ({
      ...named('grade', gradeStart),
      level: 'primary',
      subjects: children(gradeCount, subjectSize, gradeStart, (subjectStart, subjectCount) => ({
        ...named('subject', subjectStart),
        topics: children(subjectCount, 1, subjectStart, (topic) => ({
          ...named('topic', topic),
          content: contentOf(topic),
        })),
      })),
    })),
  }));
  return JSON.stringify({ version: 1, levels });
}

const named = (kind: string, number: number) => ({
  externalId: `${kind}-${number}`,
  name: `${kind} ${number}`,
  description: `The ${kind} that begins with number ${number}`,
});

function contentOf(topic: number): string {
  let text = `Topic ${topic}.`;
  for (let at = topic; text.length < contentCharacters; at += 1 + (at % 7))
    text += ` ${words[at % words.length]} ${at}`;
  return text.slice(0, contentCharacters);
}
