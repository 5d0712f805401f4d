import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { allowAnyone } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { IdParams } from '@lms/contracts/ids';
import type { Access } from '@lms/contracts/internal/content';
import { pageResponse } from '@lms/service/page-response';
import { statusOf } from '@lms/service/problems';
import { callContextOf } from '@lms/service/service-client';
import type { FastifyRequest } from 'fastify';
import type { HierarchyDeps } from './deps.ts';
import { kinds } from './kinds.ts';
import { lists, type NodeQuery } from './list-repository.ts';
import { listTopics } from './list-topics.ts';
import { maxRelated } from './node-schemas.ts';
import { toNode, toOutline, type View } from './presenter.ts';
import { readTree } from './read-tree.ts';
import { type Node, nodes, type SubjectAccess } from './repository.ts';
import { createResponseCache } from './response-cache.ts';
import * as schemas from './schemas.ts';
import { type Kind, kindNames } from './table.ts';

interface Options {
  deps: HierarchyDeps;
}

/** More than a thousand lists of 24 topics with 2 KB each. */
const maxCachedBytes = 64 * 1024 * 1024;
const unknownAccess: Access = { granted: false, reason: null };

/** Public: everyone may read the outline; the protected content of a topic requires access. */
export const publicRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  allowAnyone(app);
  const { entitlement, contentIsPublic, publicUrl } = deps;
  const { db } = deps.database;
  const topicLists = createResponseCache(maxCachedBytes);

  app.get('/tree', { schema: schemas.readTree }, async () => ok(await readTree(db)));

  for (const kind of kindNames) {
    const { plural, parent, child } = kinds[kind];
    const path = parent === null ? `/${plural}` : `/${kinds[parent].plural}/:id/${plural}`;

    app.get<{ Params: IdParams; Querystring: NodeQuery }>(
      path,
      { schema: schemas.listNodes(kind) },
      async (request, reply) => {
        const { query, params } = request;
        const found = parent && (await lists(db).getLiveParent(parent, params.id, query));
        const view = await outlineViewOf(request, found && kind === 'topic' ? found.parent : null);
        const respond = (items: Node[], total: number) =>
          pageResponse(request, reply, query, { items: items.map((node) => toNode(node, view)), total });
        if (!found) return respond(await lists(db).listLive(null, query), await lists(db).countLevels(query));
        if (kind !== 'topic') return respond(await lists(db).listLive(found.parent.id, query), found.total);
        const { granted, reason } = view.access;
        return topicLists.send(
          reply,
          [request.url, granted, reason, found.total, found.versions].join(' '),
          async () => {
            const { topics, total, isAsFound } = await listTopics(db, found, query, granted || contentIsPublic);
            return { body: respond(topics, total), isCacheable: isAsFound };
          },
        );
      },
    );

    app.get<{ Params: IdParams; Querystring: { include?: string } }>(
      `/${plural}/:id`,
      { schema: schemas.getNode(kind) },
      async (request) => {
        const { node, subject } = await getLive(kind, request.params.id);
        const item = toNode(node, await viewOf(request, subject));
        if (child === null || request.query.include === undefined) return ok(item);
        return ok({ ...item, [kinds[child].plural]: await listChildren(request, node, child) });
      },
    );
  }

  async function getLive(kind: Kind, id: string): Promise<{ node: Node; subject: SubjectAccess | null }> {
    if (kind !== 'topic') return { node: await nodes(db).getLive(kind, id), subject: null };
    const { topic, subject } = await nodes(db).getLiveTopic(id);
    return { node: topic, subject };
  }

  async function listChildren(request: FastifyRequest, node: Node, child: Kind) {
    const view = await outlineViewOf(request, child === 'topic' ? node : null);
    const firstPage = { page: 1, limit: maxRelated, sort: 'position', order: 'asc' } as const;
    const children = await lists(db).listLive(node.id, firstPage);
    return children.map((row) => toOutline(row, view));
  }

  /** What the caller may see of a subject's topics; with null, of other nodes. */
  async function viewOf(request: FastifyRequest, subject: SubjectAccess | null): Promise<View> {
    const { principal: caller } = request;
    const access = subject
      ? await entitlement.checkAccess(subject, { caller, context: callContextOf(request) })
      : unknownAccess;
    return { access, canManage: (node) => entitlement.canManage(node, caller), contentIsPublic, publicUrl };
  }

  /** For lists, which return the outline even if the access cannot be checked. */
  const outlineViewOf = (request: FastifyRequest, subject: SubjectAccess | null) =>
    viewOf(request, subject).catch((error: unknown) => {
      if (statusOf(error) !== 503) throw error;
      return viewOf(request, null);
    });
};
