import { ApiError, type Client } from '@lms/client';
import type { CommandOf } from './parse-command.ts';
import { saveResponse } from './save-response.ts';

export async function exportRoster(client: Client, { subject, status, output, directory }: CommandOf<'roster export'>) {
  const query = status === undefined ? {} : { status };
  const { response, error } =
    subject === undefined
      ? await client.GET('/api/admin/enrollment.csv', { params: { query }, parseAs: 'stream' })
      : await client.GET('/api/mentor/subjects/{id}/learners.csv', {
          params: { path: { id: subject }, query },
          parseAs: 'stream',
        });
  if (error) throw new ApiError(error, response.status);
  await saveResponse(response, { output, directory });
}
