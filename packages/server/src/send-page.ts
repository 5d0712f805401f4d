import { type PageRequest, type Pagination, paginate } from '@lms/contracts/pages';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** One page of a list, as a repository answers it. */
export interface Found<T> {
  items: T[];
  total: number;
}

/** The body of a list's answer; sets the `Link` header (RFC 8288) to its neighbours. */
export function pageOf<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  asked: PageRequest,
  { items, total }: Found<T>,
) {
  const pagination = paginate(asked, total);
  reply.header('link', links(request.url, pagination));
  return { success: true as const, data: items, pagination };
}

function links(url: string, { page, pages, hasNext, hasPrev }: Pagination): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const link = (rel: string, target: number) => {
    searchParams.set('page', String(target));
    return `<${pathname}?${searchParams}>; rel="${rel}"`;
  };
  const last = Math.max(pages, 1);
  return [
    link('first', 1),
    ...(hasPrev ? [link('prev', Math.min(page - 1, last))] : []),
    ...(hasNext ? [link('next', page + 1)] : []),
    link('last', last),
  ].join(', ');
}
