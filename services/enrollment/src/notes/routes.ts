import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Database } from '@lms/database/connect';
import { inTransaction } from '@lms/database/in-transaction';
import { pageResponse } from '@lms/service/page-response';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import { toNote } from './presenter.ts';
import { notes } from './repository.ts';
import * as schemas from './schemas.ts';

interface Topic {
  id: string;
  subjectId: string;
}

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    /** @throws a 404 if the topic is unknown or not live */
    getLiveTopic: (context: CallContext, id: string) => Promise<Topic>;
    requireEnrolled: (userId: string, subjectId: string) => Promise<void>;
    requireOnceEnrolled: (context: CallContext, userId: string, subjectId: string) => Promise<void>;
  };
}

/** For every user: a caller reads and changes only their own notes. */
export const noteRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app);
  const { db } = deps.database;

  app.get('/notes', { schema: schemas.listNotes }, async (request, reply) => {
    const { userId } = caller(request);
    const { items, total } = await notes(db).list({ ...request.query, userId }, request.query);
    return pageResponse(request, reply, request.query, { items: items.map(toNote), total });
  });

  app.get('/topics/:id/notes', { schema: schemas.listTopicNotes }, async (request, reply) => {
    const { userId } = caller(request);
    const { id: topicId } = request.params;
    // An author was enrolled, and keeps the notes when the topic is not live any more.
    if (!(await notes(db).isAuthor(userId, topicId))) {
      const context = callContextOf(request);
      const { subjectId } = await deps.getLiveTopic(context, topicId);
      await deps.requireOnceEnrolled(context, userId, subjectId);
    }
    const { items, total } = await notes(db).list({ ...request.query, userId, topicId }, request.query);
    return pageResponse(request, reply, request.query, { items: items.map(toNote), total });
  });

  app.post('/topics/:id/notes', { schema: schemas.writeNote }, async (request, reply) => {
    const { userId } = caller(request);
    const { content, positionSeconds = null } = request.body;
    const topic = await deps.getLiveTopic(callContextOf(request), request.params.id);
    await deps.requireEnrolled(userId, topic.subjectId);
    const note = await inTransaction(await request.writeDb(), async (tx) => {
      const id = await notes(tx).insert({ userId, topicId: topic.id, content, positionSeconds });
      return notes(tx).get({ id, userId });
    });
    return reply.code(201).send(ok(toNote(note), schemas.messages.created));
  });

  app.put('/notes/:id', { schema: schemas.changeNote }, async (request) => {
    const key = { id: request.params.id, userId: caller(request).userId };
    await notes(db).update(key, request.body);
    return ok(toNote(await notes(db).get(key)), schemas.messages.updated);
  });

  app.delete('/notes/:id', { schema: schemas.removeNote }, async (request) => {
    const { id } = request.params;
    await notes(db).delete({ id, userId: caller(request).userId });
    return ok({ id }, schemas.messages.deleted);
  });
};
