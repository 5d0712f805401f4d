import type { PageRequest } from '@lms/contracts/pages';
import type { Db } from '@lms/database/connect';
import { index, type KnownWord, type Readable } from './repository.ts';
import type { Hit } from './schemas.ts';

/** Searches names, descriptions and readable texts in two statements: what is meant, and what there is. */
export async function searchEducation(db: Db, text: string, readable: Readable, page: PageRequest) {
  const words = await index(db).understand(text);
  const wanted = { text, query: toQuery(words, ''), nameQuery: toQuery(words, 'A'), readable };
  const rows = await index(db).find(wanted, page);
  const items = rows.flatMap(({ type, id, name, description, path }): Hit[] =>
    type === null ? [] : [{ type, id, name, description, path }],
  );
  return { items, total: rows[0]?.total ?? 0 };
}

/** All words, each by its beginning; one that no name knows may also be a similar one. */
function toQuery(words: KnownWord[], weight: '' | 'A'): string | null {
  if (words.length === 0) return null;
  const terms = words.map(({ lexeme, similar }) =>
    [`${quote(lexeme)}:*${weight}`, ...similar.map((word) => `${quote(word)}${weight && `:${weight}`}`)].join(' | '),
  );
  return terms.map((term) => `(${term})`).join(' & ');
}

const quote = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
