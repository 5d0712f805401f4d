import type { Db } from '@lms/database/connect';
import { type SearchQuery, type SearchScope, type SearchWord, searchIndex } from './repository.ts';
import type { Hit } from './schemas.ts';

/** Searches names, descriptions and the texts within the scope; only if nothing matches, again with similar words. */
export async function searchEducation(db: Db, { q: text, ...query }: SearchQuery & { q: string }, scope: SearchScope) {
  const { analyze, find } = searchIndex(db);
  const words = await analyze(text);
  const exact = words.map((word) => ({ ...word, similar: [] }));
  let rows = await find({ text, tsquery: toTsquery(exact), scope }, query);
  const mayBeMisspelled = words.some(({ similar }) => similar.length > 0);
  if (rows[0]?.total === 0 && mayBeMisspelled) rows = await find({ text, tsquery: toTsquery(words), scope }, query);
  const items = rows.flatMap(({ type, id, name, description, path }): Hit[] =>
    type === null ? [] : [{ type, id, name, description, path }],
  );
  return { items, total: rows[0]?.total ?? 0 };
}

/** Requires all words. The last word, and words that no live name contains, match as prefixes. */
function toTsquery(words: SearchWord[]): string | null {
  if (words.length === 0) return null;
  const terms = words.map(({ lexeme, isWhole, similar }, index) => {
    const own = isWhole && index < words.length - 1 ? quote(lexeme) : `${quote(lexeme)}:*`;
    return [own, ...similar.map(quote)].join(' | ');
  });
  return terms.map((alternatives) => `(${alternatives})`).join(' & ');
}

const quote = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
