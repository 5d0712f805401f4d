import type { Db } from '@lms/database/connect';
import { containsText, type DateRange, inDateRange, limitAndOffset, type SortRequest } from '@lms/database/paging';
import { and, type SQL, sql } from 'drizzle-orm';
import { type Kind, nameWords, nodes } from '../hierarchy/table.ts';

/** A word as the index holds it, and what the names offer for it. */
export interface SearchWord {
  lexeme: string;
  /** True when it is a word of some name. */
  isWhole: boolean;
  /** True when a word of some name begins like this. */
  isKnown: boolean;
  similar: string[];
}

/** Whose texts may be searched: everybody's subjects, or some. */
export type SearchScope =
  | 'all'
  | { subjectIds: string[]; mentor: { identityProviderId: string; email: string | null } | null };

export interface SearchInput {
  /** What was asked for, as it was. */
  text: string;
  /** In the syntax of `tsquery`; null when no word can be searched for. */
  query: string | null;
  readable: SearchScope;
}

/** Which page of it, in which order, and what narrows it. */
export interface SearchQuery
  extends SortRequest<'relevance' | 'position' | 'name' | 'createdAt' | 'updatedAt'>,
    DateRange {
  /** Looked for in names and descriptions, as other lists do. */
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

// Of a common word there may be a million finds: ranking looks at so many of each sort.
const maxRanked = 200;
const maxSimilarWords = 5;

export const index = (db: Db) => ({
  /** Takes a text apart into the words of the index, and looks for similar ones where no name has them. */
  async analyze(text: string): Promise<SearchWord[]> {
    const rows = await db.execute<{ lexeme: string; is_whole: boolean; is_known: boolean; similar: string[] }>(sql`
      select asked.lexeme, known.is_whole, known.is_known, case when known.is_known then '{}' else array(
          select word from ${nameWords} where word % asked.lexeme order by similarity(word, asked.lexeme) desc, word limit ${maxSimilarWords}
        ) end as similar
      from unnest(to_tsvector('plain_words', ${text})) as asked,
        lateral (select
          exists (select from ${nameWords} where word = asked.lexeme) as is_whole,
          exists (select from ${nameWords} where word >= asked.lexeme and word < asked.lexeme || chr(1114111)) as is_known
        ) as known
      order by asked.positions[1]`);
    return rows.map((row) => ({
      lexeme: row.lexeme,
      isWhole: row.is_whole,
      isKnown: row.is_known,
      similar: row.similar,
    }));
  },

  /** One page of what matches, best first; `total` stands in every row, and alone when the page is empty. */
  async find(wanted: SearchInput, query: SearchQuery): Promise<SearchRow[]> {
    const { limit, offset } = limitAndOffset(query);
    const rows = await db.execute<SearchRow & Record<string, unknown>>(sql`
      with ${matches(wanted, query)},
      hits as (select distinct on (id) * from matches order by id, rank desc),
      page as (
        select *, row_number() over (order by ${orderOf(query)}) as place
        from hits order by place limit ${limit} offset ${offset}
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
      order by page.place`);
    return [...rows];
  },
});

/** What there is to rank. Beyond names is looked only when there is room: for common words names alone are more than enough. */
function matches({ text, query, readable }: SearchInput, { search, ...range }: SearchQuery): SQL {
  const narrowed = and(nodes.isLive, containsText(search, nodes.name, nodes.description), ...inDateRange(range, nodes));
  const some = (rank: SQL, match: SQL) => sql`
    (select id, kind, name, parent_id, position, created_at, updated_at, ${rank} as rank
      from ${nodes} where ${narrowed} and ${match} limit ${maxRanked})`;
  const called = some(sql`100::real`, sql`lower(name) = lower(${text})`);
  if (query === null) return sql`matches as ${called}`;
  const asked = sql`${query}::tsquery`;
  const rank = sql`ts_rank('{0, 0, 0.2, 1}', search, ${asked})`;
  const hasRoom = sql`(select count(*) from named) < ${maxRanked}`;
  const inTexts = sql`kind = 'topic' and body_search @@ ${asked} and ${isReadable(readable)}`;
  return sql`
    named as materialized ${some(rank, sql`to_tsvector('plain_words', name) @@ ${asked}`)},
    matches as (
      ${called}
      union all select * from named
      union all ${some(rank, sql`${hasRoom} and search @@ ${asked}`)}
      ${canReadAny(readable) ? sql`union all ${some(sql`0::real`, sql`${hasRoom} and ${inTexts}`)}` : sql``}
    )`;
}

const sortColumns = { position: 'position', name: 'name', createdAt: 'created_at', updatedAt: 'updated_at' };

/** By relevance the best come first, of equal ones those of the higher kind. */
function orderOf({ sort, order }: SearchQuery): SQL {
  const direction = sql.raw(order);
  const opposite = sql.raw(order === 'asc' ? 'desc' : 'asc');
  const kind = sql`array_position(array['level', 'grade', 'subject', 'topic'], kind) ${direction}`;
  if (sort === 'relevance') return sql`rank ${opposite}, ${kind}, name ${direction}, id ${direction}`;
  return sql`${sql.identifier(sortColumns[sort])} ${direction}, id ${direction}`;
}

const canReadAny = (readable: SearchScope) =>
  readable === 'all' || readable.mentor !== null || readable.subjectIds.length > 0;

function isReadable(readable: SearchScope): SQL {
  if (readable === 'all') return sql`true`;
  const { subjectIds, mentor } = readable;
  const enrolled = sql`parent_id in (select jsonb_array_elements_text(${JSON.stringify(subjectIds)}::jsonb))`;
  if (mentor === null) return enrolled;
  const { identityProviderId, email } = mentor;
  return sql`(${enrolled} or parent_id in (select id from ${nodes} as s where s.kind = 'subject'
    and (s.mentor_id = ${identityProviderId} or (s.mentor_id is null and s.mentor_email = ${email}))))`;
}
