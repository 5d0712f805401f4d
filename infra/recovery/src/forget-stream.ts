import { streamName } from '@lms/contracts/events/definition';
import { parseServers } from '@lms/events/servers';
import { connect, NatsError } from 'nats';

/**
 * Deletes the stream with all its consumers: it may know of what the restored databases do not. The relays make it
 * anew and tell it the week that their outboxes hold; the inboxes see to it that nothing happens twice.
 */
export async function forgetStream(natsUrl: string): Promise<void> {
  const connection = await connect({ ...parseServers(natsUrl), timeout: 5_000, maxReconnectAttempts: 2 });
  try {
    const manager = await connection.jetstreamManager();
    await manager.streams.delete(streamName);
  } catch (error) {
    if (!(error instanceof NatsError) || error.api_error?.code !== 404) throw error;
  } finally {
    await connection.close();
  }
}
