import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { AccountInactive, allowAnyone, requireActive } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { principalPath } from '@lms/contracts/internal/identity';
import { Principal } from '@lms/contracts/passport';
import { toWire } from '@lms/contracts/wire';
import { forbidden, statusOf } from '@lms/service/problems';
import { callContextOf, type ServiceClient } from '@lms/service/service-client';
import type { FastifyRequest } from 'fastify';
import {
  appendDocument,
  changeVideoState,
  removeDocument,
  removeVideo,
  setVideo,
  type TopicMediaOptions,
} from './change-topic-media.ts';
import type { WriteDeps } from './deps.ts';
import { notFound } from './errors.ts';
import * as schemas from './internal-schemas.ts';
import { mentors } from './mentors-repository.ts';
import { nodes } from './repository.ts';

interface Options {
  deps: WriteDeps & { identity: Pick<ServiceClient, 'request'> };
}

// The roles and status in an older passport may be outdated: a long upload or a playback URL keeps one for minutes. They
// are then read from the identity service.
const maxPassportAgeSeconds = 10;

// Media requests with its own authority what an import stores.
const forServices = { acceptsServiceTokens: true };

/** For other services, with the passport of their caller. The gateway does not proxy `/internal`. */
export const internalRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  allowAnyone(app);
  const { entitlement, database, identity } = deps;
  const { db } = database;

  app.get('/subjects/:id', { schema: schemas.getInternalSubject }, async ({ params, principal }) => {
    const subject = await nodes(db).findWithDeleted('subject', params.id);
    // Only administrators can see deleted subjects, which they may restore.
    if (!subject || (subject.deletedAt && !principal?.roles.includes('ADMIN'))) throw new notFound.subject();
    const { id, name, parentId, isLive, mentorId } = subject;
    const isOwn = principal !== null && entitlement.isMentorOf(subject, principal);
    return ok({ id, name, gradeId: parentId ?? '', isLive, mentorId: isOwn ? principal.identityProviderId : mentorId });
  });

  app.get('/subjects/:id/topics', { schema: schemas.listInternalTopics }, async ({ params }) =>
    ok(await nodes(db).listLiveTopics(params.id)),
  );

  app.get('/topics/:id/access', { schema: schemas.getTopicAccess, config: forServices }, async (request) => {
    const { topic, subject } = await nodes(db).getTopicAndSubject(request.params.id);
    const { fresh: isFresh } = request.query;
    const current = await currentCaller(request, isFresh);
    const accessRequest = { caller: current, context: callContextOf(request), isFresh };
    const manage = entitlement.canManage(subject, accessRequest.caller);
    if (!topic.isLive && !manage) throw new notFound.topic();
    const read = await entitlement.checkAccess(subject, accessRequest);
    return ok({ topicId: topic.id, subjectId: subject.id, read, manage });
  });

  app.put('/topics/:id/video', { schema: schemas.setTopicVideo, config: forServices }, async (request) =>
    ok(await write(request, (options) => setVideo(db, request.params.id, request.body, options))),
  );

  app.delete('/topics/:id/video', { schema: schemas.removeTopicVideo, config: forServices }, async (request) =>
    ok(await write(request, (options) => removeVideo(db, request.params.id, options))),
  );

  app.put('/topics/:id/video/state', { schema: schemas.changeTopicVideoState, config: forServices }, async (request) =>
    ok(await write(request, (options) => changeVideoState(db, request.params.id, request.body, options))),
  );

  app.post(
    '/topics/:id/documents',
    { schema: schemas.appendTopicDocument, config: forServices },
    async (request, reply) => {
      const { params, body, isService: isImport } = request;
      const append = (options: TopicMediaOptions) => appendDocument(db, params.id, body, { ...options, isImport });
      return reply.code(201).send(ok(await write(request, append)));
    },
  );

  app.delete(
    '/topics/:id/documents/:documentId',
    { schema: schemas.removeTopicDocument, config: forServices },
    async (request) =>
      ok(await write(request, (options) => removeDocument(db, request.params.id, request.params.documentId, options))),
  );

  app.get('/export', { schema: schemas.exportPersonalData }, async (request) => {
    const { identityProviderId, email, emailVerified } = caller(request);
    const verifiedEmail = emailVerified ? email.toLowerCase() : null;
    const assignments = await mentors(db).listAssignments(identityProviderId, verifiedEmail);
    return ok(assignments.length === 0 ? {} : { mentorAssignments: assignments.map((row) => toWire(row)) });
  });

  async function write<T>(request: FastifyRequest, change: (options: TopicMediaOptions) => Promise<T>): Promise<T> {
    const options = await mediaOptions(request);
    return deps.inWriteSlot(() => change(options), request.socket);
  }

  async function mediaOptions(request: FastifyRequest): Promise<TopicMediaOptions> {
    caller(request);
    const principal = await currentCaller(request);
    return {
      cause: causeOf(request),
      authorize(subject) {
        if (entitlement.canManage(subject, principal)) return;
        throw forbidden({ required: ['ADMIN', 'MENTOR'], user_roles: principal?.roles ?? [] });
      },
    };
  }

  /** The caller with current roles and status. */
  async function currentCaller(request: FastifyRequest, isFresh = false): Promise<Principal | null> {
    const { principal, passportAgeSeconds, isService } = request;
    const isCurrent = isService || (!isFresh && passportAgeSeconds <= maxPassportAgeSeconds);
    if (principal === null || isCurrent) return principal;
    const current = await identity
      .request(Principal, callContextOf(request), { path: principalPath(principal.userId) })
      .catch((error: unknown) => {
        throw statusOf(error) === 404 ? new AccountInactive({ cause: error }) : error;
      });
    requireActive(current);
    return current;
  }
};
