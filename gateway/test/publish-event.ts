import { connectBus } from '@lms/events/bus';
import { pino } from 'pino';

/** Publishes an event once, as a service's relay would. */
export async function publishEvent(natsUrl: string, subject: string, data: object) {
  const bus = connectBus(natsUrl, 'test', pino({ level: 'silent' }));
  const { connection } = await bus.connected();
  connection.publish(subject, JSON.stringify({ ...data, version: 1 }));
  await connection.flush();
  await bus.close();
}
