import { Type } from '@sinclair/typebox';
import type { Planted } from './plant-school.ts';
import type { Caller } from './service-client.ts';

const Enrollment = Type.Object({ id: Type.String(), status: Type.String() });

/** The learner asks and the administrator approves, unless that has happened. */
export async function enrollLearner(
  { subjectId }: Planted,
  enrollment: string,
  askAsLearner: Caller,
  askAsAdmin: Caller,
): Promise<void> {
  const list = `/api/enrollment?subjectId=${subjectId}`;
  const existing = await askAsLearner({ service: enrollment, method: 'GET', path: list, data: Type.Array(Enrollment) });
  if (existing.some(({ status }) => status === 'APPROVED')) return;
  const body = { subjectId, message: 'I would like to learn about whole numbers.' };
  const request = () =>
    askAsLearner({ service: enrollment, method: 'POST', path: '/api/enrollment/request', body, data: Enrollment });
  const { id } = existing.find(({ status }) => status === 'PENDING') ?? (await request());
  const path = `/api/admin/enrollment/${id}/approve`;
  await askAsAdmin({ service: enrollment, method: 'PUT', path, data: Type.Unknown() });
}
