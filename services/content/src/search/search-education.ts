import type { Db } from '@lms/database/connect';
import { index, type SearchQuery, type SearchScope, type SearchWord } from './repository.ts';
import type { Hit } from './schemas.ts';

/** Searches names, descriptions and readable texts in two statements: what is meant, and what there is. */
export async function searchEducation(
  db: Db,
  { q: text, ...query }: SearchQuery & { q: string },
  readable: SearchScope,
) {
  const words = await index(db).analyze(text);
  const rows = await index(db).find({ text, query: toQuery(words), readable }, query);
  const items = rows.flatMap(({ type, id, name, description, path }): Hit[] =>
    type === null ? [] : [{ type, id, name, description, path }],
  );
  return { items, total: rows[0]?.total ?? 0 };
}

/** All words; the last one, and those that are none by themselves, by their beginning; unknown ones also as similar ones. */
function toQuery(words: SearchWord[]): string | null {
  if (words.length === 0) return null;
  const terms = words.map(({ lexeme, isWhole, similar }, index) => {
    const own = isWhole && index < words.length - 1 ? quote(lexeme) : `${quote(lexeme)}:*`;
    return [own, ...similar.map(quote)].join(' | ');
  });
  return terms.map((alternatives) => `(${alternatives})`).join(' & ');
}

const quote = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
