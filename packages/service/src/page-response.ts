import { type PageRequest, type Pagination, paginate } from '@lms/contracts/pages';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** One page of a list, as a repository answers it. */
export interface PageResult<T> {
  items: T[];
  total: number;
}

// Of the 8 KiB that the headers of a response may have; the others, the gateway's included, need less than 2.
const maxLinkBytes = 6 * 1_024;

/** The body of a list's answer; sets the `Link` header (RFC 8288) to its neighbours. */
export function pageResponse<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  asked: PageRequest,
  { items, total }: PageResult<T>,
) {
  const pagination = paginate(asked, total);
  const link = links(request.url, pagination);
  if (link) reply.header('link', link);
  return { success: true as const, data: items, pagination };
}

// Each link repeats the whole query. Where not all of them fit, these go first.
const dispensable = ['last', 'first', 'prev', 'next'];

function links(url: string, { page, pages, hasNext, hasPrev }: Pagination): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const found = new Map<string, string>();
  const link = (rel: string, target: number) => {
    searchParams.set('page', String(target));
    found.set(rel, `<${pathname}?${searchParams}>; rel="${rel}"`);
  };
  const last = Math.max(pages, 1);
  link('first', 1);
  if (hasPrev) link('prev', Math.min(page - 1, last));
  if (hasNext) link('next', page + 1);
  link('last', last);

  const joined = () => [...found.values()].join(', ');
  for (const rel of dispensable) if (joined().length > maxLinkBytes) found.delete(rel);
  return joined();
}
