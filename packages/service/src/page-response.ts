import { type PageRequest, type Pagination, paginate } from '@lms/contracts/pages';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** One page of a list, as a repository returns it. */
export interface PageResult<T> {
  items: T[];
  total: number;
}

// Many clients and proxies accept 8 KiB of response headers; the other headers, including the gateway's, need less than 2.
const maxLinkBytes = 6 * 1_024;

/** Returns the body of a paginated list and sets its `Link` header (RFC 8288). */
export function pageResponse<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  pageRequest: PageRequest,
  { items, total }: PageResult<T>,
) {
  const pagination = paginate(pageRequest, total);
  const link = links(request.url, pagination);
  if (link) reply.header('link', link);
  return { success: true as const, data: items, pagination };
}

// Each link repeats the whole query. If they do not fit, they are dropped in this order.
const dropOrder = ['last', 'first', 'prev', 'next'];

function links(url: string, { page, pages, hasNext, hasPrev }: Pagination): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const linksByRel = new Map<string, string>();
  const link = (rel: string, target: number) => {
    searchParams.set('page', String(target));
    linksByRel.set(rel, `<${pathname}?${searchParams}>; rel="${rel}"`);
  };
  const last = Math.max(pages, 1);
  link('first', 1);
  if (hasPrev) link('prev', Math.min(page - 1, last));
  if (hasNext) link('next', page + 1);
  link('last', last);

  const joined = () => [...linksByRel.values()].join(', ');
  for (const rel of dropOrder) if (joined().length > maxLinkBytes) linksByRel.delete(rel);
  return joined();
}
