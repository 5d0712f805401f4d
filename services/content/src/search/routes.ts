import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { allowAnyone } from '@lms/auth/require-role';
import type { Principal } from '@lms/contracts/passport';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { FastifyRequest } from 'fastify';
import type { Readable } from './repository.ts';
import * as schemas from './schemas.ts';
import { searchEducation } from './search-education.ts';

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    authority: { enrolledSubjects: (asking: { caller: Principal | null; behalf: CallContext }) => Promise<string[]> };
    contentIsPublic: boolean;
  };
}

/** The outline for anybody, texts for those who may read them. */
export const searchers: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  allowAnyone(app);
  const { authority, contentIsPublic, database } = deps;

  app.get('/search', { schema: schemas.searchEducation }, async (request, reply) => {
    const { query } = request;
    return pageResponse(request, reply, query, await searchEducation(database.db, query, await readableBy(request)));
  });

  async function readableBy(request: FastifyRequest): Promise<Readable> {
    const { principal: caller } = request;
    if (contentIsPublic || caller?.roles.includes('ADMIN')) return 'all';
    const subjectIds = await authority.enrolledSubjects({ caller, behalf: callContextOf(request) });
    if (!caller?.roles.includes('MENTOR')) return { subjectIds, mentor: null };
    const { identityProviderId, email, emailVerified } = caller;
    return { subjectIds, mentor: { identityProviderId, email: emailVerified ? email.toLowerCase() : null } };
  }
};
