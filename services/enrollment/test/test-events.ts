import type { SubjectState, TopicState } from '@lms/contracts/events/content';
import type { UserState } from '@lms/contracts/events/identity';
import { createId } from '@lms/database/columns';
import { connectBus } from '@lms/events/bus';
import { consume, type EventHandler } from '@lms/events/consume';
import { startRelay } from '@lms/events/relay';
import { testDatabase } from '@lms/testing/database';
import { startNats, type TestServer } from '@lms/testing/servers';
import type { Test } from 'tap';
import { consumers } from '../src/consumers.ts';
import { migrations, silent, type TestService } from './test-service.ts';

/** Puts the service on a real line: its relay publishes, its consumers hear, and a neighbour does both as well. */
export async function connectToNats(t: Test, { database }: Pick<TestService, 'database'>, nats?: TestServer) {
  const server = nats ?? (await startNats(t));
  const bus = connectBus(server.url, 'enrollment', silent);
  const relay = startRelay(database, bus, 'enrollment', silent);
  const consuming = consumers.map((consumer) => consume({ ...consumer, database, bus, logger: silent }).ended);
  const close = async () => {
    await bus.close();
    await Promise.all([relay.ended, ...consuming]);
  };
  t.teardown(close);
  return { nats: server, notifyRelay: relay.notify, close };
}

/** Somebody else on the line, with an outbox of their own. */
export async function startOtherService(t: Test, nats: TestServer) {
  const database = await testDatabase(t, migrations);
  const bus = connectBus(nats.url, 'neighbour', silent);
  const relay = startRelay(database, bus, 'neighbour', silent);
  const ended: Promise<unknown>[] = [relay.ended];
  t.teardown(async () => {
    await bus.close();
    await Promise.all(ended);
  });
  return {
    db: database.db,
    subscribe(filter: string, handlers: EventHandler[]) {
      ended.push(
        consume({ database, bus, logger: silent, durable: `test-${createId()}`, filter, handlers: handlers }).ended,
      );
    },
  };
}

/** What identity would tell of somebody. */
export const userState = (given: Partial<UserState> = {}): UserState => {
  const id = given.id ?? createId();
  return {
    id,
    identityProviderId: `idp_${id}`,
    email: `${id}@lms.test`,
    emailVerified: true,
    firstName: 'First',
    lastName: 'Last',
    roles: ['LEARNER'],
    status: 'ACTIVE',
    plan: 'FREE',
    createdAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
    ...given,
  };
};

const node = () => ({
  id: createId(),
  name: 'Told',
  description: '',
  position: 0,
  isActive: true,
  deletedAt: null,
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
});

/** What content would tell of a subject. */
export const subjectState = (given: Partial<SubjectState> = {}): SubjectState => ({
  ...node(),
  imageUrl: null,
  gradeId: createId(),
  mentorId: null,
  ...given,
});

/** What content would tell of a topic. */
export const topicState = (given: Partial<TopicState> = {}): TopicState => ({
  ...node(),
  subjectId: createId(),
  video: null,
  documents: [],
  ...given,
});
