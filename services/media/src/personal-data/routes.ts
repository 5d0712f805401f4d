import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { errorResponses, ok, Success } from '@lms/contracts/envelope';
import { exportPath, PersonalData } from '@lms/contracts/internal/export';

interface Options {
  deps: { getPersonalData: (userId: string) => Promise<PersonalData> };
}

const exportPersonalData = {
  operationId: 'exportPersonalData',
  tags: ['internal'],
  hide: true,
  summary: 'Export what the caller uploaded',
  security: [{ bearer: [] as string[] }],
  response: { 200: Success(PersonalData), ...errorResponses(401, 403, 503) },
};

/** For the caller's own passport: identity assembles the export of personal data from all services. */
export const internalRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app);

  app.get(exportPath.replace('/internal', ''), { schema: exportPersonalData }, async (request) =>
    ok(await deps.getPersonalData(caller(request).userId)),
  );
};
