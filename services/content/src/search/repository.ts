import type { Db } from '@lms/database/connect';
import { containsText, type DateRange, inDateRange, limitAndOffset, type SortRequest } from '@lms/database/paging';
import { and, type SQL, sql } from 'drizzle-orm';
import { type Kind, nameWords, nodes } from '../hierarchy/table.ts';

/** A word of the search text in its normalized form. */
export interface SearchWord {
  lexeme: string;
  /** True if the name of a live node contains this word. */
  isWhole: boolean;
  /**
   * Words of live names of which it may be a misspelling: none if some name contains a word that starts with it, and none
   * for codes such as `7b`.
   */
  similar: string[];
}

/** The subjects whose topic texts the caller may search. */
export type SearchScope =
  | 'all'
  | { subjectIds: string[]; mentor: { identityProviderId: string; email: string | null } | null };

export interface SearchInput {
  /** The search text as the client sent it. */
  text: string;
  /** In `tsquery` syntax; null if the text contains no searchable word. */
  tsquery: string | null;
  scope: SearchScope;
}

/** Page, order and filters. */
export interface SearchQuery
  extends SortRequest<'relevance' | 'position' | 'name' | 'createdAt' | 'updatedAt'>,
    DateRange {
  /** A filter on names and descriptions, as in the other lists. */
  search?: string;
}

export interface SearchRow {
  total: number;
  type: Kind | null;
  id: string;
  name: string;
  description: string;
  path: { type: Kind; id: string; name: string }[];
}

// A common word may have a million matches; ranking reads at most this many from each source.
const maxRanked = 200;
// A filter may pass none of them; it is applied to at most this many from each source.
const maxFiltered = 10_000;
const maxSimilarWords = 5;
const maxLengthDifference = 2;
// Words stay in name_words without a live name; at most this many of those that fit are checked.
const maxChecked = 100;

// Finding one of half a million names takes 12 ms instead of 160 if the index returns a sample of very many matches.
const sampling = sql`sampling as materialized (select set_config('gin_fuzzy_search_limit', '1000', true))`;
const isInLiveName = sql`exists (select from ${nodes}
  where is_live and to_tsvector('plain_words', name) @@ array_to_tsvector(array[word])::text::tsquery)`;

export const searchIndex = (db: Db, candidates = maxFiltered) => ({
  /** Splits a text into words as the index stores them, and finds similar words for those that no live name contains. */
  async analyze(text: string): Promise<SearchWord[]> {
    const rows = await db.execute<{ lexeme: string; is_whole: boolean; similar: string[] }>(sql`
      with ${sampling}
      select lexeme, is_whole, case when is_whole or exists (
          select from (
            select word from ${nameWords} where word >= lexeme and word < lexeme || chr(1114111) order by word limit ${maxChecked}
          ) as ${nameWords} where ${isInLiveName}
        ) then '{}' else array(
          select word from (
            select word, similarity(word, lexeme) as score from ${nameWords}
            where word % lexeme and word || lexeme !~ '\\d' and abs(length(word) - length(lexeme)) <= ${maxLengthDifference}
            order by score desc, word limit ${maxChecked}
          ) as ${nameWords} where ${isInLiveName} order by score desc, word limit ${maxSimilarWords}
        ) end as similar
      from sampling, unnest(to_tsvector('plain_words', ${text})), lateral (
        select exists (select from ${nameWords} where word = lexeme and ${isInLiveName}) as is_whole) as known
      order by positions[1]`);
    return rows.map(({ lexeme, is_whole: isWhole, similar }) => ({ lexeme, isWhole, similar }));
  },

  /** One page of matches, best first. Every row has the `total`; an empty page is one row with the `total` alone. */
  async find(input: SearchInput, query: SearchQuery): Promise<SearchRow[]> {
    const { limit, offset } = limitAndOffset(query);
    const rows = await db.execute<SearchRow & Record<string, unknown>>(sql`
      with ${matches(input, query, candidates)},
      hits as (select distinct on (id) * from matches order by id, rank desc),
      page as (
        select *, row_number() over (order by ${orderOf(query)}) as row_number
        from hits order by row_number limit ${limit} offset ${offset}
      )
      select (select count(*)::int from hits) as total, page.kind as type, page.id, page.name,
        (select n.description from ${nodes} as n where n.id = page.id) as description,
        (select coalesce(jsonb_agg(jsonb_build_object('type', a.kind, 'id', a.id, 'name', a.name)
            order by array_position(array['level', 'grade', 'subject'], a.kind)), '[]')
          from ${nodes} as a where a.id in (page.parent_id, one.parent_id, two.parent_id)) as path
      from (select) as always
        left join page on true
        left join ${nodes} as one on one.id = page.parent_id
        left join ${nodes} as two on two.id = one.parent_id
      order by page.row_number`);
    return [...rows];
  },
});

/** The rows to rank. Descriptions and texts are searched only if the names gave fewer matches than can be ranked. */
function matches({ text, tsquery, scope }: SearchInput, { search, ...range }: SearchQuery, candidates: number): SQL {
  const filters = and(containsText(search, nodes.name, nodes.description), ...inDateRange(range, nodes));
  const select = (rank: SQL, match: SQL) => {
    const found = sql`${nodes} where ${nodes.isLive} and ${match}`;
    return sql`
    (select id, kind, name, parent_id, position, created_at, updated_at, ${rank} as rank
      from ${filters ? sql`(select * from ${found} limit ${candidates}) as ${nodes} where ${filters}` : found}
      limit ${maxRanked})`;
  };
  const exactNames = select(sql`100::real`, sql`lower(name) = lower(${text})`);
  if (tsquery === null) return sql`matches as ${exactNames}`;
  const query = sql`${tsquery}::tsquery`;
  const rank = sql`ts_rank('{0, 0, 0.2, 1}', search, ${query})`;
  const needsMore = sql`(select count(*) from name_matches) < ${maxRanked}`;
  const inTexts = sql`kind = 'topic' and body_search @@ ${query} and ${isInScope(scope)}`;
  return sql`
    name_matches as materialized ${select(rank, sql`to_tsvector('plain_words', name) @@ ${query}`)},
    matches as (
      ${exactNames}
      union all select * from name_matches
      union all ${select(rank, sql`${needsMore} and search @@ ${query}`)}
      ${isEmpty(scope) ? sql`` : sql`union all ${select(sql`0::real`, sql`${needsMore} and ${inTexts}`)}`}
    )`;
}

const sortColumns = { position: 'position', name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' };

/** By relevance the best match comes first; equal matches are ordered from level to topic. */
function orderOf({ sort, order }: SearchQuery): SQL {
  const direction = sql.raw(order);
  const opposite = sql.raw(order === 'asc' ? 'desc' : 'asc');
  const kind = sql`array_position(array['level', 'grade', 'subject', 'topic'], kind) ${direction}`;
  if (sort === 'relevance') return sql`rank ${opposite}, ${kind}, name ${direction}, id ${direction}`;
  return sql`${sql.identifier(sortColumns[sort])} ${direction}, id ${direction}`;
}

const isEmpty = (scope: SearchScope) => scope !== 'all' && scope.mentor === null && scope.subjectIds.length === 0;

function isInScope(scope: SearchScope): SQL {
  if (scope === 'all') return sql`true`;
  const { subjectIds, mentor } = scope;
  const isEnrolled = sql`parent_id in (select jsonb_array_elements_text(${JSON.stringify(subjectIds)}::jsonb))`;
  if (mentor === null) return isEnrolled;
  const { identityProviderId, email } = mentor;
  return sql`(${isEnrolled} or parent_id in (select id from ${nodes} as s where s.kind = 'subject'
    and (s.mentor_id = ${identityProviderId} or (s.mentor_id is null and s.mentor_email = ${email}))))`;
}
