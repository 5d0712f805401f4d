import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { allowAnyone } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { IdParams } from '@lms/contracts/ids';
import type { Access } from '@lms/contracts/internal/content';
import { pageResponse } from '@lms/service/page-response';
import { callContextOf } from '@lms/service/service-client';
import type { FastifyRequest } from 'fastify';
import type { HierarchyDeps } from './deps.ts';
import { kinds } from './kinds.ts';
import { lists, type NodeQuery } from './list-repository.ts';
import { maxRelated } from './node-schemas.ts';
import { toNode, toOutline, type View } from './presenter.ts';
import { readTree } from './read-tree.ts';
import { type Node, nodes } from './repository.ts';
import * as schemas from './schemas.ts';
import { type Kind, kindNames } from './table.ts';

interface Options {
  deps: HierarchyDeps;
}

/** The outline for anybody, a topic's substance for the entitled. */
export const publicRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  allowAnyone(app);
  const { entitlement, contentIsPublic, publicUrl } = deps;
  const { db } = deps.database;

  app.get('/tree', { schema: schemas.readTree }, async () => ok(await readTree(db)));

  for (const kind of kindNames) {
    const { plural, parent, child } = kinds[kind];
    const path = parent === null ? `/${plural}` : `/${kinds[parent].plural}/:id/${plural}`;

    app.get<{ Params: IdParams; Querystring: NodeQuery }>(
      path,
      { schema: schemas.listNodes(kind) },
      async (request, reply) => {
        const { query, params } = request;
        const above = parent && (await lists(db).getLiveParent(parent, params.id, query));
        const view = await viewOf(request, above && kind === 'topic' ? above.parent : null).catch(
          withoutAccess(request),
        );
        const found = await lists(db).listLive(above?.parent.id ?? null, query, showsContent(kind, view));
        const total = above ? above.total : await lists(db).countLevels(query);
        return pageResponse(request, reply, query, { items: found.map((node) => toNode(node, view)), total });
      },
    );

    app.get<{ Params: IdParams; Querystring: { include?: string } }>(
      `/${plural}/:id`,
      { schema: schemas.getNode(kind) },
      async (request) => {
        const node = await nodes(db).getLive(kind, request.params.id);
        const subject = kind === 'topic' ? await nodes(db).get('subject', node.parentId ?? '') : null;
        const shown = toNode(node, await viewOf(request, subject));
        if (child === null || request.query.include === undefined) return ok(shown);
        return ok({ ...shown, [kinds[child].plural]: await listChildren(request, node, child) });
      },
    );
  }

  async function listChildren(request: FastifyRequest, node: Node, child: Kind) {
    const view = await viewOf(request, child === 'topic' ? node : null).catch(withoutAccess(request));
    const first = { page: 1, limit: maxRelated, sort: 'position', order: 'asc' } as const;
    const children = await lists(db).listLive(node.id, first, false);
    return children.map((each) => toOutline(each, view));
  }

  const showsContent = (kind: Kind, { access }: View) => kind === 'topic' && (access.granted || contentIsPublic);

  const view = ({ principal }: FastifyRequest, access: Access): View => ({
    access,
    canManage: (subject) => entitlement.canManage(subject, principal),
    contentIsPublic,
    publicUrl,
  });

  async function viewOf(request: FastifyRequest, subject: Node | null): Promise<View> {
    if (subject === null) return view(request, unknown);
    return view(
      request,
      await entitlement.checkAccess(subject, { caller: request.principal, context: callContextOf(request) }),
    );
  }

  /** Lists serve the outline even when nobody can tell about the substance. */
  const withoutAccess = (request: FastifyRequest) => (error: unknown) => {
    if (Object(error).statusCode !== 503) throw error;
    return view(request, unknown);
  };
};

const unknown: Access = { granted: false, reason: null };
