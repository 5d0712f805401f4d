import { waitFor } from '@lms/testing/wait-for';
import type { Test } from 'tap';
import { admin, startContent } from './content-service.ts';
import { startMedia } from './start-media.ts';

export const exportsPath = '/api/admin/education/exports';

/** The content service with a media service, and functions that export. */
export async function startExports(t: Test) {
  const media = await startMedia(t);
  const content = await startContent(t, { media: media.client });
  const { app, call } = content;

  async function start(body: unknown) {
    const { status, json } = await call('POST', exportsPath, { as: admin, body });
    if (status !== 202) throw new Error(`${status}: ${JSON.stringify(json)}`);
    return json.data;
  }

  async function finish(id: string) {
    let found = { id, status: '', downloadUrl: '', checksum: '', expiresAt: '' };
    await waitFor(
      async () => {
        found = (await call('GET', `${exportsPath}/${id}`, { as: admin })).json.data;
        return found.status === 'completed' || found.status === 'failed';
      },
      { until: `export ${id} ends` },
    );
    return found;
  }

  const download = (address: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url: address.replace('https://lms.test', ''), headers });

  async function exportFile(body: unknown) {
    const { id } = await start(body);
    const result = await finish(id);
    const response = await download(result.downloadUrl);
    if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${response.body}`);
    return { ...result, bytes: response.rawPayload };
  }

  return { media, content, start, finish, download, exportFile };
}
