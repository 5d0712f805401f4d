import { adminId, enrolledSubjects, idOf, learners, pending, subjects, topicsPerSubject } from './seed.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  userId: string;
  body?: unknown;
}
/** How many of the requests that work only once have been sent. */
export type Counters = Record<'requested' | 'approved' | 'completed', number>;

export interface Case {
  name: string;
  /** The least shares of the requests a second of the bare process, and of the same behind a bare proxy. */
  target?: { bare: number; proxied?: number };
  /** Set if each request works only once. */
  counter?: keyof Counters;
  requests: (counters: Counters) => Request[];
}

const readers = 20;
const subjectsPerReader = 5;
const perRun = 12_000;

const many = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));

/** A lesson day: some learners, each in a few subjects. */
const read = (pathOf: (subject: number, index: number) => string) => () =>
  many(readers * subjectsPerReader * 5, (index): Request => {
    const subject = Math.floor(index / readers) % subjectsPerReader;
    return { method: 'GET', path: pathOf(subject, index), userId: idOf('u', index % readers) };
  });
const someTopic = (subject: number, index: number) =>
  idOf('t', subject * topicsPerSubject + (index % topicsPerSubject));

export const cases: Case[] = [
  {
    name: 'topics of a subject, 48 KB',
    target: { bare: 0.6, proxied: 0.9 },
    requests: read((subject) => `/api/education/subjects/${idOf('s', subject)}/topics?limit=100`),
  },
  {
    name: 'one topic',
    target: { bare: 0.6 },
    requests: read((subject, index) => `/api/education/topics/${someTopic(subject, index)}`),
  },
  { name: 'own enrollments', target: { bare: 0.6 }, requests: read(() => '/api/enrollment') },
  {
    name: 'progress in a subject',
    requests: read((subject) => `/api/learning/subjects/${idOf('s', subject)}/progress`),
  },
  {
    name: 'position',
    target: { bare: 0.5 },
    requests: () =>
      many(perRun, (index): Request => {
        const path = `/api/learning/topics/${someTopic(index % subjectsPerReader, index)}/position`;
        const body = { positionSeconds: index % 600, durationSeconds: 600 };
        return { method: 'PUT', path, userId: idOf('u', index % learners), body };
      }),
  },
  {
    name: 'completion',
    counter: 'completed',
    requests: ({ completed }) =>
      many(perRun, (index): Request => {
        const topic = Math.floor((completed + index) / learners) % (enrolledSubjects * topicsPerSubject);
        const userId = idOf('u', (completed + index) % learners);
        return { method: 'PUT', path: `/api/learning/topics/${idOf('t', topic)}/completion`, userId, body: {} };
      }),
  },
  {
    name: 'enrollment request',
    counter: 'requested',
    requests: ({ requested }) =>
      many(perRun, (index): Request => {
        const number = requested + index;
        const subjectId = idOf('s', enrolledSubjects + (Math.floor(number / learners) % (subjects - enrolledSubjects)));
        const userId = idOf('u', number % learners);
        return { method: 'POST', path: '/api/enrollment/request', userId, body: { subjectId } };
      }),
  },
  {
    name: 'approve',
    counter: 'approved',
    requests: ({ approved }) =>
      many(perRun, (index): Request => {
        const id = idOf('q', (approved + index) % pending);
        return { method: 'PUT', path: `/api/admin/enrollment/${id}/approve`, userId: adminId, body: {} };
      }),
  },
];
