// Measures the enrollment check at 10,000 and at BENCH_ENROLLMENTS (1,000,000) enrollments. See README.md.
import { passportHeaders, testPassportKey, testPrincipal } from '@lms/testing/principals';
import { buildApp } from 'enrollment/app';
import { enrollments } from 'enrollment/enrollments';
import { pino } from 'pino';
import { accessCheck, seedEnrollments } from './enrollment-access/seed-enrollments.ts';
import { compareSizes, get } from './harness/growth.ts';

const maxRatio = 1.3;

await compareSizes({
  service: 'enrollment',
  size: Number(process.env.BENCH_ENROLLMENTS ?? 1_000_000),
  times: 2_400,
  seed: seedEnrollments,
  build: (database, unreachable) =>
    buildApp({
      logger: pino({ level: 'silent' }),
      database,
      passportKey: testPassportKey,
      content: unreachable,
      identity: unreachable,
      notifyRelay: () => undefined,
    }),
  reads: [
    {
      name: 'the statement alone',
      maxRatio,
      prepare({ database, size }, turn) {
        const { userId, subjectId, granted } = accessCheck(size, turn);
        return async () => {
          const found = await enrollments(database.db).findActive(userId, subjectId);
          if ((found !== undefined) !== granted) throw new Error('wrong response');
        };
      },
    },
    {
      name: 'the check over HTTP',
      maxRatio,
      prepare({ url, size }, turn) {
        const { userId, subjectId, granted } = accessCheck(size, turn);
        const headers = passportHeaders(testPrincipal(['LEARNER'], { userId }));
        return async () => {
          const { data } = JSON.parse(await get(`${url}/internal/subjects/${subjectId}/access`, headers));
          if (data.granted !== granted) throw new Error('wrong response');
        };
      },
    },
  ],
});
