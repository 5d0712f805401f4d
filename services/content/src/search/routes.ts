import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { allowAnyone } from '@lms/auth/require-role';
import type { Principal } from '@lms/contracts/passport';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { FastifyRequest } from 'fastify';
import type { SearchScope } from './repository.ts';
import * as schemas from './schemas.ts';
import { searchEducation } from './search-education.ts';

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    entitlement: {
      listEnrolledSubjects: (request: { caller: Principal | null; context: CallContext }) => Promise<string[]>;
    };
    contentIsPublic: boolean;
  };
}

/** Public: everyone may search names and descriptions; topic texts are searched as far as the caller may read them. */
export const searchRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  allowAnyone(app);
  const { entitlement, contentIsPublic, database } = deps;

  app.get('/search', { schema: schemas.searchEducation }, async (request, reply) => {
    const { query } = request;
    return pageResponse(request, reply, query, await searchEducation(database.db, query, await scopeOf(request)));
  });

  async function scopeOf(request: FastifyRequest): Promise<SearchScope> {
    const { principal: caller } = request;
    if (contentIsPublic || caller?.roles.includes('ADMIN')) return 'all';
    const subjectIds = await entitlement.listEnrolledSubjects({ caller, context: callContextOf(request) });
    if (!caller?.roles.includes('MENTOR')) return { subjectIds, mentor: null };
    const { identityProviderId, email, emailVerified } = caller;
    return { subjectIds, mentor: { identityProviderId, email: emailVerified ? email.toLowerCase() : null } };
  }
};
