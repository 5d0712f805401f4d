import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { causeOf } from '@lms/auth/passports';
import { allowAnyone, requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { IdParams } from '@lms/contracts/ids';
import type { Access } from '@lms/contracts/internal/content';
import type { Principal } from '@lms/contracts/passport';
import type { Database } from '@lms/database/connect';
import { type Behalf, onBehalfOf } from '@lms/server/ask-neighbour';
import { pageOf } from '@lms/server/send-page';
import type { FastifyRequest } from 'fastify';
import { assignMentor } from './assign-mentor.ts';
import { createNode } from './create-node.ts';
import { kinds } from './kinds.ts';
import { type ManagedQuery, type Node, type NodeQuery, nodes } from './repository.ts';
import * as schemas from './schemas.ts';
import { fullView, showNode, type View } from './show-node.ts';
import { type Kind, kindNames } from './table.ts';

export interface HierarchyDeps {
  database: Pick<Database, 'db'>;
  authority: {
    decide: (subject: Node, asking: { caller: Principal | null; behalf: Behalf }) => Promise<Access>;
    mayManage: (subject: Node, caller: Principal | null) => boolean;
    isMentorOf: (subject: Node, caller: Principal) => boolean;
  };
  /** Texts of topics are for everybody. */
  contentIsPublic: boolean;
  publicUrl: string;
}
interface Options {
  deps: HierarchyDeps;
}

const maxTopicBytes = 6 * 1024 * 1024;

/** The outline for anybody, a topic's substance for the entitled. */
export const readers: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  allowAnyone(app);
  const { authority, contentIsPublic, publicUrl, database } = deps;
  const room = nodes(database.db);

  for (const kind of kindNames) {
    const { plural, parent } = kinds[kind];
    const path = parent === null ? `/${plural}` : `/${kinds[parent].plural}/:id/${plural}`;

    app.get<{ Params: IdParams; Querystring: NodeQuery }>(
      path,
      { schema: schemas.listNodes(kind) },
      async (request, reply) => {
        const { query, params } = request;
        const above = parent && (await room.getLiveParent(parent, params.id, kind, query));
        const total = above ? above.total : await room.countLive(kind, null, query);
        const view = await viewOf(request, kind, above ? above.parent : null, true);
        const items = await room.listLive(kind, above ? above.parent.id : null, query, showsContent(kind, view));
        return pageOf(request, reply, query, { items: items.map((item) => showNode(item, view)), total });
      },
    );

    app.get<{ Params: IdParams }>(`/${plural}/:id`, { schema: schemas.getNode(kind) }, async (request) => {
      const node = await room.getLive(kind, request.params.id);
      const subject = kind === 'topic' ? await room.get('subject', node.parentId ?? '') : null;
      return ok(showNode(node, await viewOf(request, kind, subject, false)));
    });
  }

  const showsContent = (kind: Kind, { access }: View) => kind === 'topic' && (access.granted || contentIsPublic);

  async function viewOf(request: FastifyRequest, kind: Kind, subject: Node | null, isOutline: boolean): Promise<View> {
    const { principal: caller } = request;
    const access: Access =
      kind === 'topic' && subject
        ? await authority.decide(subject, { caller, behalf: onBehalfOf(request) }).catch((error: unknown) => {
            if (!isOutline || Object(error).statusCode !== 503) throw error;
            // The outline is served even when nobody can tell about the substance.
            return { granted: false, reason: null };
          })
        : { granted: false, reason: null };
    return { access, mayManage: (node) => authority.mayManage(node, caller), contentIsPublic, publicUrl };
  }
};

/** Everything about the tree, for administrators. */
export const admins: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  const { db } = deps.database;
  const view = fullView(deps.publicUrl);

  for (const kind of kindNames) {
    const { plural } = kinds[kind];
    const bodyLimit = kind === 'topic' ? { bodyLimit: maxTopicBytes } : {};

    app.get<{ Querystring: ManagedQuery }>(
      `/${plural}`,
      { schema: schemas.listManagedNodes(kind) },
      async (request, reply) => {
        const { query } = request;
        const [total, items] = await Promise.all([
          nodes(db).countManaged(kind, query),
          nodes(db).listManaged(kind, query),
        ]);
        return pageOf(request, reply, query, { items: items.map((item) => showNode(item, view)), total });
      },
    );

    app.get<{ Params: IdParams }>(`/${plural}/:id`, { schema: schemas.getManagedNode(kind) }, async ({ params }) =>
      ok(showNode(await nodes(db).getAny(kind, params.id), view)),
    );

    app.post<{ Body: schemas.NodeBody }>(
      `/${plural}`,
      { schema: schemas.createNode(kind), ...bodyLimit },
      async (request, reply) => {
        const node = await createNode(db, kind, schemas.toInput(request.body), causeOf(request));
        return reply.code(201).send(ok(showNode(node, view)));
      },
    );
  }

  app.put('/subjects/:id/mentor', { schema: schemas.assignSubjectMentor }, async (request) => {
    const { mentorId = null, mentorEmail = null } = request.body;
    const assignment = { mentorId, mentorEmail: mentorEmail?.toLowerCase() ?? null };
    return ok(showNode(await assignMentor(db, request.params.id, assignment, causeOf(request)), view));
  });
};
