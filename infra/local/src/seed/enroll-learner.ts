import { Type } from '@sinclair/typebox';
import type { CreatedTopic } from './import-school.ts';
import type { ServiceClient } from './service-client.ts';

const Enrollment = Type.Object({ id: Type.String(), status: Type.String() });

/** Requests and approves an enrollment for the learner, unless there is one. */
export async function enrollLearner(
  { subjectId }: CreatedTopic,
  enrollment: string,
  learnerClient: ServiceClient,
  adminClient: ServiceClient,
): Promise<void> {
  const list = `/api/enrollment?subjectId=${subjectId}`;
  const existing = await learnerClient({
    service: enrollment,
    method: 'GET',
    path: list,
    data: Type.Array(Enrollment),
  });
  if (existing.some(({ status }) => status === 'APPROVED')) return;
  const body = { subjectId, message: 'I would like to learn about whole numbers.' };
  const request = () =>
    learnerClient({ service: enrollment, method: 'POST', path: '/api/enrollment/request', body, data: Enrollment });
  const { id } = existing.find(({ status }) => status === 'PENDING') ?? (await request());
  const path = `/api/admin/enrollment/${id}/approve`;
  await adminClient({ service: enrollment, method: 'PUT', path, data: Type.Unknown() });
}
