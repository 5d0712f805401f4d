import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { IdParams } from '@lms/contracts/ids';
import { pageResponse } from '@lms/service/page-response';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as schemas from './admin-schemas.ts';
import { assignMentor } from './assign-mentor.ts';
import { createNode } from './create-node.ts';
import { countDeletion, deleteNode } from './delete-node.ts';
import type { WriteDeps } from './deps.ts';
import { createIfMatchCheck, etagOf } from './etag.ts';
import { kinds } from './kinds.ts';
import { lists, type ManagedQuery } from './list-repository.ts';
import { fullView, normalizeEmail, toNode, toNodeFields, toNodeUpdate } from './presenter.ts';
import { reorderNodes } from './reorder-nodes.ts';
import { type Node, nodes } from './repository.ts';
import { restoreNode } from './restore-node.ts';
import { type Kind, kindNames } from './table.ts';
import { type Target, updateNode } from './update-node.ts';

interface Options {
  deps: WriteDeps;
}
type Body<T> = { Params: IdParams; Body: T };

const maxTopicBytes = 6 * 1024 * 1024;

/** Requires the role ADMIN. */
export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  const { db } = deps.database;
  const view = fullView(deps.publicUrl);
  const write = <T>({ socket }: Pick<FastifyRequest, 'socket'>, work: () => Promise<T>) =>
    deps.inWriteSlot(work, socket);

  for (const kind of kindNames) {
    const path = `/${kinds[kind].plural}`;
    const limits = kind === 'topic' ? { bodyLimit: maxTopicBytes } : {};

    app.get<{ Querystring: ManagedQuery }>(path, { schema: schemas.listManagedNodes(kind) }, async (request, reply) => {
      const { query } = request;
      const total = await lists(db).countManaged(kind, query);
      const rows = await lists(db).listManaged(kind, query);
      return pageResponse(request, reply, query, { items: rows.map((node) => toNode(node, view)), total });
    });

    app.get<{ Params: IdParams }>(`${path}/:id`, { schema: schemas.getManagedNode(kind) }, async ({ params }, reply) =>
      nodeResponse(reply, await nodes(db).getWithDeleted(kind, params.id)),
    );

    app.post<{ Body: schemas.NodeBody }>(
      path,
      { schema: schemas.createNode(kind), ...limits },
      async (request, reply) =>
        nodeResponse(
          reply.code(201),
          await write(request, async () =>
            createNode(await request.writeDb(), kind, toNodeFields(request.body), causeOf(request)),
          ),
          schemas.messages.created(kind),
        ),
    );

    app.put<Body<Partial<schemas.NodeBody>>>(
      `${path}/:id`,
      { schema: schemas.updateNode(kind), ...limits },
      async (request, reply) =>
        nodeResponse(
          reply,
          await write(request, () =>
            updateNode(db, targetOf(kind, request), toNodeUpdate(request.body), causeOf(request)),
          ),
          schemas.messages.updated(kind),
        ),
    );

    app.delete<{ Params: IdParams; Querystring: { dryRun: boolean } }>(
      `${path}/:id`,
      { schema: schemas.deleteNode(kind) },
      async (request) => {
        if (request.query.dryRun)
          return ok(await countDeletion(db, targetOf(kind, request)), schemas.messages.notDeleted);
        const deleted = await write(request, () => deleteNode(db, targetOf(kind, request), causeOf(request)));
        return ok(deleted, schemas.messages.deleted(kind));
      },
    );

    app.post<{ Params: IdParams }>(
      `${path}/:id/restore`,
      { schema: schemas.restoreNode(kind) },
      async (request, reply) =>
        nodeResponse(
          reply,
          await write(request, async () =>
            restoreNode(await request.writeDb(), kind, request.params.id, causeOf(request)),
          ),
          schemas.messages.restored(kind),
        ),
    );

    app.put(`${path}/reorder`, { schema: schemas.reorderNodes(kind) }, async (request) =>
      ok(
        await write(request, () => reorderNodes(db, kind, request.body, causeOf(request))),
        schemas.messages.reordered(kind),
      ),
    );
  }

  app.put('/subjects/:id/mentor', { schema: schemas.assignSubjectMentor }, async (request, reply) => {
    const { mentorId = null, mentorEmail = null } = request.body;
    const assignment = { mentorId, mentorEmail: normalizeEmail(mentorEmail) };
    const subject = await write(request, () =>
      assignMentor(db, targetOf('subject', request), assignment, causeOf(request)),
    );
    const hasMentor = subject.mentorId !== null || subject.mentorEmail !== null;
    return nodeResponse(reply, subject, hasMentor ? schemas.messages.mentorAssigned : schemas.messages.mentorRemoved);
  });

  const nodeResponse = (reply: FastifyReply, node: Node, message?: string) => {
    reply.header('etag', etagOf(node));
    return ok(toNode(node, view), message);
  };
};

interface TargetRequest {
  params: IdParams;
  headers: { 'if-match'?: string | undefined };
}

const targetOf = (kind: Kind, { params, headers }: TargetRequest): Target => ({
  kind,
  id: params.id,
  checkVersion: createIfMatchCheck(headers['if-match']),
});
