import type { Db } from '@lms/database/connect';
import { type SearchQuery, type SearchScope, type SearchWord, searchIndex } from './repository.ts';
import type { Hit } from './schemas.ts';

/** Searches names, descriptions and the texts within the scope; only if nothing matches, again with similar words. */
export async function searchEducation(db: Db, { q: text, ...query }: SearchQuery & { q: string }, scope: SearchScope) {
  const { analyze, findSimilar, find } = searchIndex(db);
  const words = await analyze(text);
  let rows = await find({ text, tsquery: toTsquery(words), scope }, query);
  if (rows[0]?.total === 0) {
    const similar = await findSimilar(words);
    const mayBeMisspelled = similar.some(({ length }) => length > 0);
    if (mayBeMisspelled) rows = await find({ text, tsquery: toTsquery(words, similar), scope }, query);
  }
  const items = rows.flatMap(({ type, id, name, description, path }): Hit[] =>
    type === null ? [] : [{ type, id, name, description, path }],
  );
  return { items, total: rows[0]?.total ?? 0 };
}

/** Requires all words, each of them or one of those that are similar. */
function toTsquery(words: SearchWord[], similar: string[][] = []): string | null {
  if (words.length === 0) return null;
  const terms = words.map(({ lexeme, isPrefix }, index) => {
    const own = isPrefix ? `${quote(lexeme)}:*` : quote(lexeme);
    return [own, ...(similar[index] ?? []).map(quote)].join(' | ');
  });
  return terms.map((alternatives) => `(${alternatives})`).join(' & ');
}

const quote = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
