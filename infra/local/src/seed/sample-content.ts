import { readFile } from 'node:fs/promises';
import { ApiError, unwrap } from '@lms/client';
import type { Principal } from '@lms/contracts/passport';
import { untilFinished } from '../job.ts';
import type { ServiceClients } from './accounts.ts';

const readAsset = async (name: string, type: string) =>
  new File([await readFile(new URL(`../../assets/${name}`, import.meta.url))], name, { type });

/** Imports the sample content. Items that exist from an interrupted attempt stay. */
export async function importSchool({ content }: ServiceClients): Promise<void> {
  await cancelOpenImports(content);
  const started = await unwrap(content.importCurriculum({ file: await readAsset('school.json', 'application/json') }));
  const params = { path: { id: started.id } };
  const read = () => unwrap(content.GET('/api/admin/education/imports/{id}', { params }));
  const job = await untilFinished(started, read);
  if (job.status !== 'completed')
    throw new Error(`The import of the sample content is ${job.status}: ${JSON.stringify(job.issues).slice(0, 500)}`);
}

/** That of an interrupted attempt would otherwise be continued later. */
async function cancelOpenImports(content: ServiceClients['content']): Promise<void> {
  const query = { limit: 100 };
  const jobs = await unwrap(content.GET('/api/admin/education/imports', { params: { query } }));
  for (const { id, finishedAt } of jobs) {
    if (finishedAt !== null) continue;
    const cancel = unwrap(content.POST('/api/admin/education/imports/{id}/cancel', { params: { path: { id } } }));
    await cancel.catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
    });
  }
}

/** The subject of the accounts, and its first topic. */
export async function findFirstTopic({ content }: ServiceClients) {
  const query = { externalId: 'sample-mathematics' };
  const [subject] = await unwrap(content.GET('/api/admin/education/subjects', { params: { query } }));
  if (!subject) throw new Error('The sample content has no subject for the accounts');
  const first = { subjectId: subject.id, sort: 'position', limit: 1 } as const;
  const [topic] = await unwrap(content.GET('/api/admin/education/topics', { params: { query: first } }));
  if (!topic) throw new Error(`The subject ${subject.name} has no topic`);
  return { subject, topic };
}
type FirstTopic = Awaited<ReturnType<typeof findFirstTopic>>;

/** A curriculum has the e-mail address of a mentor only. */
export async function assignMentor({ content }: ServiceClients, { subject }: FirstTopic, mentor: Principal) {
  const params = { path: { id: subject.id } };
  const body = { mentorId: mentor.identityProviderId, mentorEmail: mentor.email };
  await unwrap(content.PUT('/api/admin/education/subjects/{id}', { params, body }));
}

/** Uploads a document and a video with captions. A rejected upload is only reported: the sample content is usable without. */
export async function uploadFiles(
  { media }: ServiceClients,
  { topic: { id: topicId, documentCount, hasVideo } }: FirstTopic,
  report: (line: string) => void,
): Promise<void> {
  const reportRejected = (file: string) => (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    report(`seed               ${file} not uploaded: ${error.message}`);
  };
  if (!documentCount) {
    const file = await readAsset('whole-numbers.pdf', 'application/pdf');
    const document = { topicId, file, name: 'Whole numbers', description: 'A first handout' };
    await unwrap(media.uploadDocument(document)).catch(reportRejected('document'));
  }
  if (!hasVideo) {
    const file = await readAsset('number-line.mp4', 'video/mp4');
    await unwrap(media.uploadVideo({ topicId, file })).catch(reportRejected('video'));
    const captions = { topicId, language: 'en', file: await readAsset('number-line.vtt', 'text/vtt'), default: true };
    await unwrap(media.uploadCaptions(captions)).catch(reportRejected('captions'));
  }
}

/** Requests and approves an enrollment for the learner, unless there is one. */
export async function enrollLearner(learner: ServiceClients, admin: ServiceClients, { subject }: FirstTopic) {
  const subjectId = subject.id;
  const query = { subjectId };
  const existing = await unwrap(learner.enrollment.GET('/api/enrollment', { params: { query } }));
  if (existing.some(({ status }) => status === 'APPROVED')) return;
  const body = { subjectId, message: 'I would like to learn about whole numbers.' };
  const request = () => unwrap(learner.enrollment.POST('/api/enrollment/request', { body }));
  const { id } = existing.find(({ status }) => status === 'PENDING') ?? (await request());
  await unwrap(admin.enrollment.PUT('/api/admin/enrollment/{id}/approve', { params: { path: { id } } }));
}
