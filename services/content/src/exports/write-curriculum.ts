import { curriculumVersion } from '@lms/contracts/curriculum';
import { kindsByDepth } from '../curriculum/cartridge-format.ts';
import type { CurriculumItem } from '../curriculum/items.ts';

const childrenNames = { level: 'grades', grade: 'subjects', subject: 'topics' };

/** `curriculum.json`, in pieces. The same items are always the same bytes. */
export async function* writeCurriculum(items: AsyncIterable<CurriculumItem>): AsyncGenerator<string> {
  yield `{\n"version": ${curriculumVersion},\n"levels": [`;
  let openItems = 0;
  let isFirst = true;
  for await (const item of items) {
    const depth = kindsByDepth.indexOf(item.kind);
    let text = '';
    for (; openItems > depth; openItems -= 1) {
      text += '\n]}';
      isFirst = false;
    }
    const { kind } = item;
    const fields = JSON.stringify(fieldsOf(item));
    text += isFirst ? '\n' : ',\n';
    if (kind === 'topic') {
      yield text + fields;
      isFirst = false;
    } else {
      yield `${text}${fields.slice(0, -1)},"${childrenNames[kind]}":[`;
      openItems += 1;
      isFirst = true;
    }
  }
  yield `${'\n]}'.repeat(openItems)}\n]\n}\n`;
}

/** The fields in a fixed order. Items without an external id stay without one. */
function fieldsOf(item: CurriculumItem) {
  const { externalId, name, description, imageUrl, level, mentorEmail, position, isActive, partial } = item;
  const { content, video, documents } = item;
  return {
    ...(externalId !== null && { externalId }),
    ...{ name, description, imageUrl, level, mentorEmail, position, isActive, partial, content, video, documents },
  };
}
