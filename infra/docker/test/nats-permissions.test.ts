import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamName, streamSubjects } from '@lms/contracts/events/definition';
import { connectBus } from '@lms/events/bus';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { AckPolicy, connect, type NatsConnection } from 'nats';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { makeEnvironment, root } from './compose-file.ts';

const logger = pino({ level: 'silent' });
const { variables } = makeEnvironment(t);
const service = (name: string) => ({ user: name, pass: variables[`NATS_${name.toUpperCase()}_PASSWORD`] ?? '' });

/** What each service is told of, by which consumer. */
const hears: [service: string, durable: string, filter: string][] = [
  ['identity', 'identity-audit-content', 'lms.content.>'],
  ['identity', 'identity-audit-media', 'lms.media.>'],
  ['identity', 'identity-audit-enrollment', 'lms.enrollment.>'],
  ['content', 'content-identity-users', 'lms.identity.user.*.v1'],
  ['media', 'media-content-topics', 'lms.content.topic.*.v1'],
  ['enrollment', 'enrollment-identity-users', 'lms.identity.user.*.v1'],
  ['enrollment', 'enrollment-content-subjects', 'lms.content.subject.*.v1'],
  ['enrollment', 'enrollment-content-outline', 'lms.content.*.*.v1'],
];
const services = ['identity', 'content', 'media', 'enrollment'];

/** A real server with the configuration that the containers get. */
async function startServer(t: Test): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'lms-nats-'));
  const [port, monitoring] = [await freePort(), await freePort()];
  const place = ['--addr', '127.0.0.1', '--port', `${port}`, '--http_port', `${monitoring}`, '--store_dir', directory];
  const config = join(root, 'infra/nats/server.conf');
  const env = { PATH: process.env.PATH, ...variables };
  const child = spawn('nats-server', ['--config', config, ...place], { env, stdio: 'ignore' });
  t.teardown(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    rmSync(directory, { recursive: true, force: true });
  });
  const healthy = () =>
    fetch(`http://127.0.0.1:${monitoring}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(healthy, { until: 'a healthy NATS' });
  // A name, not an address: the client treats them differently.
  return `localhost:${port}`;
}

async function enter(t: Test, servers: string, name: string): Promise<NatsConnection> {
  const connection = await connect({ servers, ...service(name) });
  t.teardown(() => connection.close());
  return connection;
}

const tell = (connection: NatsConnection, subject: string) =>
  connection.jetstream({ timeout: 1_000 }).publish(subject, '{}');
const refused = { code: 'PERMISSIONS_VIOLATION' };

t.test('the address of a service brings it in, and makes the stream', async (t) => {
  const server = await startServer(t);
  const { user, pass } = service('content');
  const bus = connectBus(`nats://${user}:${pass}@${server}`, 'content', logger);
  t.teardown(bus.close);
  await bus.ensureStream();
  await bus.check();
  await t.rejects(connect({ servers: server }), { code: 'AUTHORIZATION_VIOLATION' }, 'nobody enters without a name');
});

t.test('a service tells its own events and hears what it has to', async (t) => {
  const server = await startServer(t);
  const connections = new Map<string, NatsConnection>();
  for (const name of services) connections.set(name, await enter(t, server, name));
  const of = (name: string) => {
    const connection = connections.get(name);
    if (!connection) throw new Error(`${name} is not connected`);
    return connection;
  };
  const first = await of('media').jetstreamManager({ checkAPI: false });
  await first.streams.add({ name: streamName, subjects: [...streamSubjects] });

  for (const name of services) {
    t.ok(await tell(of(name), `lms.${name}.thing.done.v1`), `${name} tells its own`);
    for (const other of services.filter((candidate) => candidate !== name))
      await t.rejects(tell(of(name), `lms.${other}.thing.done.v1`), refused, `${name} does not speak for ${other}`);
  }
  for (const [name, durable, filter] of hears) {
    const manager = await of(name).jetstreamManager({ checkAPI: false, timeout: 1_000 });
    const settings = { durable_name: durable, ack_policy: AckPolicy.Explicit, filter_subject: filter };
    await manager.consumers.add(streamName, settings);
    const consumer = await of(name).jetstream().consumers.get(streamName, durable);
    const [, spoken = ''] = filter.split('.');
    const subject = filter.replace('>', 'user.made.v1').replace('*.*', 'user.made').replace('*', 'made');
    await tell(of(spoken), subject);
    const message = await waitFor(() => consumer.next({ expires: 1_000 }), { until: `news for ${durable}` });
    t.equal(await message.ackAck({ timeout: 1_000 }), true, `${durable} is told and says so`);
    t.equal((await manager.streams.getMessage(streamName, { seq: message.seq })).subject, message.subject);
    t.equal(await manager.consumers.delete(streamName, durable), true, `${name} may delete ${durable}`);
  }
});

t.test('a service neither hears nor breaks what is not its own', async (t) => {
  const server = await startServer(t);
  const content = await enter(t, server, 'content');
  const manager = await content.jetstreamManager({ checkAPI: false, timeout: 1_000 });
  await manager.streams.add({ name: streamName, subjects: [...streamSubjects] });
  const consumer = (durable: string, filter: string) =>
    manager.consumers.add(streamName, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      filter_subject: filter,
    });
  await t.rejects(consumer('media-content-topics', 'lms.content.topic.*.v1'), refused, "another's consumer");
  await t.rejects(consumer('content-identity-users', 'lms.>'), refused, 'its own, of more than it needs');
  await t.rejects(manager.consumers.delete(streamName, 'media-content-topics'), refused, "another's consumer");
  await t.rejects(manager.streams.delete(streamName), refused, 'the stream');
  await t.rejects(manager.streams.purge(streamName), refused, 'what is in it');

  const overheard = content.subscribe('lms.identity.>');
  await t.rejects(
    (async () => {
      for await (const _ of overheard);
    })(),
    refused,
    "others' words",
  );
});

t.test('the gateway hears what it must forget, and says nothing', async (t) => {
  const server = await startServer(t);
  const [gateway, identity] = [await enter(t, server, 'gateway'), await enter(t, server, 'identity')];
  const heard: string[] = [];
  for (const subject of ['lms.identity.user.*.v1', 'lms.content.>'])
    gateway.subscribe(subject, { callback: (_error, message) => heard.push(message.subject) });
  await gateway.flush();
  identity.publish('lms.identity.user.updated.v1');
  await waitFor(() => heard.length > 0, { until: 'the word of identity' });
  t.strictSame(heard, ['lms.identity.user.updated.v1']);

  await t.rejects(gateway.request('lms.identity.user.updated.v1', '', { timeout: 1_000 }), refused);
});
