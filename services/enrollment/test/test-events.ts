import type { SubjectState, TopicState } from '@lms/contracts/events/content';
import type { UserState } from '@lms/contracts/events/identity';
import { createId } from '@lms/database/columns';
import { connectBus } from '@lms/events/bus';
import { consume } from '@lms/events/consume';
import type { EventHandler } from '@lms/events/event-handler';
import { startRelay } from '@lms/events/relay';
import { testDatabase } from '@lms/testing/database';
import { startNats, type TestServer } from '@lms/testing/servers';
import type { Test } from 'tap';
import { consumers } from '../src/consumers.ts';
import { migrations, silent, type TestService } from './test-service.ts';

/** Starts the service's relay and consumers on a real NATS server. */
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

/** Another service on the same NATS server, with its own outbox and relay. */
export async function startOtherService(t: Test, nats: TestServer) {
  const database = await testDatabase(t, migrations);
  const bus = connectBus(nats.url, 'other-service', silent);
  const relay = startRelay(database, bus, 'other-service', silent);
  const ended: Promise<unknown>[] = [relay.ended];
  t.teardown(async () => {
    await bus.close();
    await Promise.all(ended);
  });
  return {
    db: database.db,
    subscribe(filter: string, handlers: EventHandler[]) {
      ended.push(consume({ database, bus, logger: silent, durable: `test-${createId()}`, filter, handlers }).ended);
    },
  };
}

/** The state of a user in identity's events. */
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
  name: 'From an event',
  description: '',
  position: 0,
  isActive: true,
  deletedAt: null,
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
});

/** The state of a subject in content's events. */
export const subjectState = (given: Partial<SubjectState> = {}): SubjectState => ({
  ...node(),
  imageUrl: null,
  gradeId: createId(),
  mentorId: null,
  ...given,
});

/** The state of a topic in content's events. */
export const topicState = (given: Partial<TopicState> = {}): TopicState => ({
  ...node(),
  subjectId: createId(),
  video: null,
  documents: [],
  ...given,
});
