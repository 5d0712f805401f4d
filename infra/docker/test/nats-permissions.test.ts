import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamName, streamSubjects } from '@lms/contracts/events/definition';
import { erasureLedger } from '@lms/contracts/events/identity';
import { connectBus } from '@lms/events/bus';
import { openLedger } from '@lms/events/ledger';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { AckPolicy, connect, type NatsConnection } from 'nats';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { makeEnvironment, root } from './compose-file.ts';

const logger = pino({ level: 'silent' });
/** Longer than any response takes on a busy machine. What is denied is rejected before. */
const timeoutMs = 30_000;
const { variables } = makeEnvironment(t);
const service = (name: string) => ({ user: name, pass: variables[`NATS_${name.toUpperCase()}_PASSWORD`] ?? '' });

/** The durable consumers of each service. */
const consumers: [service: string, durable: string, filter: string][] = [
  ['identity', 'identity-audit-content', 'lms.content.>'],
  ['identity', 'identity-audit-media', 'lms.media.>'],
  ['identity', 'identity-audit-enrollment', 'lms.enrollment.>'],
  ['content', 'content-identity-users', 'lms.identity.user.*.v1'],
  ['content', 'content-media-removals', 'lms.media.*.removed.v1'],
  ['content', 'content-media-video-states', 'lms.media.*.*.v1'],
  ['media', 'media-content-topics', 'lms.content.topic.*.v1'],
  ['media', 'media-identity-users', 'lms.identity.user.*.v1'],
  ['enrollment', 'enrollment-identity-users', 'lms.identity.user.*.v1'],
  ['enrollment', 'enrollment-content-subjects', 'lms.content.subject.*.v1'],
  ['enrollment', 'enrollment-content-outline', 'lms.content.*.*.v1'],
];
/** The ephemeral subscriptions of each service. */
const subscriptions: [service: string, subject: string][] = [
  ['content', 'lms.enrollment.enrollment.*.v1'],
  ['media', 'lms.enrollment.enrollment.*.v1'],
  ['media', 'lms.identity.user.*.v1'],
  ['media', 'lms.content.*.*.v1'],
];
const services = ['identity', 'content', 'media', 'enrollment'];

/** Starts a NATS server with the configuration of the containers. */
async function startServer(t: Test): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'lms-nats-'));
  const [port, monitoring] = [await freePort(), await freePort()];
  const serverArgs = [
    '--addr',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--http_port',
    `${monitoring}`,
    '--store_dir',
    directory,
  ];
  const config = join(root, 'infra/nats/server.conf');
  const env = { PATH: process.env.PATH, ...variables };
  const child = spawn('nats-server', ['--config', config, ...serverArgs], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  });
  const healthy = () =>
    fetch(`http://127.0.0.1:${monitoring}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(
    () => {
      if (child.exitCode !== null) throw new Error('nats-server ended at once');
      return healthy();
    },
    { until: 'a healthy NATS' },
  );
  const response = await fetch(`http://127.0.0.1:${monitoring}/jsz`);
  t.match(await response.json(), { config: { max_storage: 10 * 1_024 ** 3 } }, 'whatever is free on the disk');
  // With a host name, because the client handles host names and IP addresses differently.
  return `localhost:${port}`;
}

async function connectAs(t: Test, servers: string, name: string): Promise<NatsConnection> {
  const connection = await connect({ servers, ...service(name) });
  t.teardown(() => connection.close());
  return connection;
}

const publish = (connection: NatsConnection, subject: string) =>
  connection.jetstream({ timeout: timeoutMs }).publish(subject, '{}');
const denied = { code: 'PERMISSIONS_VIOLATION' };

t.test('a service can connect with its URL and create the stream', async (t) => {
  const server = await startServer(t);
  const { user, pass } = service('content');
  const bus = connectBus(`nats://${user}:${pass}@${server}`, 'content', logger);
  t.teardown(bus.close);
  await bus.ensureStream();
  await bus.check();
  await t.rejects(
    connect({ servers: server }),
    { code: 'AUTHORIZATION_VIOLATION' },
    'anonymous connections are rejected',
  );
});

t.test('a service can publish its own events and consume those it needs', async (t) => {
  const server = await startServer(t);
  const connections = new Map<string, NatsConnection>();
  for (const name of services) connections.set(name, await connectAs(t, server, name));
  const of = (name: string) => {
    const connection = connections.get(name);
    if (!connection) throw new Error(`${name} is not connected`);
    return connection;
  };
  const first = await of('media').jetstreamManager({ checkAPI: false, timeout: timeoutMs });
  await first.streams.add({ name: streamName, subjects: [...streamSubjects] });

  for (const name of services) {
    t.ok(await publish(of(name), `lms.${name}.thing.done.v1`), `${name} publishes its own events`);
    for (const other of services.filter((candidate) => candidate !== name))
      await t.rejects(
        publish(of(name), `lms.${other}.thing.done.v1`),
        denied,
        `${name} cannot publish events of ${other}`,
      );
  }
  for (const [name, durable, filter] of consumers) {
    const manager = await of(name).jetstreamManager({ checkAPI: false, timeout: timeoutMs });
    const settings = { durable_name: durable, ack_policy: AckPolicy.Explicit, filter_subject: filter };
    await manager.consumers.add(streamName, settings);
    const consumer = await of(name).jetstream().consumers.get(streamName, durable);
    const [, publisher = ''] = filter.split('.');
    const subject = filter.replace('>', 'user.made.v1').replace('*.*', 'user.made').replace('*', 'made');
    await publish(of(publisher), subject);
    const message = await waitFor(() => consumer.next({ expires: 1_000 }), { until: `a message for ${durable}` });
    t.equal(await message.ackAck({ timeout: timeoutMs }), true, `${durable} receives and acknowledges`);
    t.equal((await manager.streams.getMessage(streamName, { seq: message.seq })).subject, message.subject);
    t.equal(await manager.consumers.delete(streamName, durable), true, `${name} can delete ${durable}`);
  }
});

t.test('a service can subscribe to the events that invalidate its caches', async (t) => {
  const server = await startServer(t);
  const received: string[] = [];
  for (const [name, subject] of subscriptions) {
    const [, publisher = ''] = subject.split('.');
    const [subscriber, owner] = [await connectAs(t, server, name), await connectAs(t, server, publisher)];
    subscriber.subscribe(subject, { callback: (_error, message) => received.push(`${name} ${message?.subject}`) });
    await subscriber.flush();
    const published = subject.replace('*.*', 'topic.made').replace('*', 'made');
    owner.publish(published);
    const hasArrived = () => received.includes(`${name} ${published}`);
    t.ok(await waitFor(hasArrived, { until: `${published} at ${name}` }), `${name} receives ${published}`);
  }
});

t.test('the publishers of personal data can erase it, and identity keeps a ledger', async (t) => {
  const server = await startServer(t);
  const managerOf = async (name: string) =>
    (await connectAs(t, server, name)).jetstreamManager({ checkAPI: false, timeout: timeoutMs });
  const [identity, content, media] = [
    await managerOf('identity'),
    await managerOf('content'),
    await managerOf('media'),
  ];
  await identity.streams.add({ name: streamName, subjects: [...streamSubjects] });
  for (const [name, manager] of Object.entries({ identity, content })) {
    const { seq } = await publish(await connectAs(t, server, name), `lms.${name}.thing.done.v1`);
    t.same(await manager.consumers.list(streamName).next(), []);
    t.equal(await manager.streams.deleteMessage(streamName, seq, true), true, name);
  }
  await t.rejects(media.streams.deleteMessage(streamName, 1, true), denied);
  const { user, pass } = service('identity');
  const bus = connectBus(`nats://${user}:${pass}@${server}`, 'identity', logger);
  t.teardown(bus.close);
  const ledger = openLedger(bus, erasureLedger);
  await ledger.add('a');
  t.same(await ledger.keys(), ['a']);
});

t.test('a service cannot read or change what belongs to others', async (t) => {
  const server = await startServer(t);
  const content = await connectAs(t, server, 'content');
  const manager = await content.jetstreamManager({ checkAPI: false, timeout: timeoutMs });
  await manager.streams.add({ name: streamName, subjects: [...streamSubjects] });
  const consumer = (durable: string, filter: string) =>
    manager.consumers.add(streamName, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      filter_subject: filter,
    });
  await t.rejects(consumer('media-content-topics', 'lms.content.topic.*.v1'), denied, "another's consumer");
  await t.rejects(consumer('content-identity-users', 'lms.>'), denied, 'its own consumer with a wider filter');
  await t.rejects(manager.consumers.delete(streamName, 'media-content-topics'), denied, "another's consumer");
  await t.rejects(manager.streams.delete(streamName), denied, 'the stream');
  await t.rejects(manager.streams.purge(streamName), denied, 'the messages of the stream');

  const subscription = content.subscribe('lms.identity.>');
  await t.rejects(
    (async () => {
      for await (const _ of subscription);
    })(),
    denied,
    'a subscription to events of another service',
  );
});

t.test('the gateway can subscribe to events that invalidate its caches, and cannot publish', async (t) => {
  const server = await startServer(t);
  const [gateway, identity] = [await connectAs(t, server, 'gateway'), await connectAs(t, server, 'identity')];
  const received: string[] = [];
  for (const subject of ['lms.identity.user.*.v1', 'lms.content.>'])
    gateway.subscribe(subject, { callback: (_error, message) => received.push(message.subject) });
  await gateway.flush();
  identity.publish('lms.identity.user.updated.v1');
  await waitFor(() => received.length > 0, { until: 'the event of identity' });
  t.strictSame(received, ['lms.identity.user.updated.v1']);

  await t.rejects(gateway.request('lms.identity.user.updated.v1', '', { timeout: timeoutMs }), denied);
});
