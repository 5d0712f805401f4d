import { streamName } from '@lms/contracts/events/definition';
import { parseServers } from '@lms/events/servers';
import { connect, NatsError } from 'nats';
import { recordErasures } from './erasures.ts';

/**
 * Deletes the stream with all its consumers, because it may contain events that the restored databases do not. The relays
 * create a new one and publish the events of the last week, which the outboxes contain; the inboxes prevent duplicate handling.
 * The ledger of erasures stays, and these are added to it.
 */
export async function deleteStream(natsUrl: string, erasures: string[]): Promise<void> {
  const connection = await connect({ ...parseServers(natsUrl), timeout: 5_000, maxReconnectAttempts: 2 });
  try {
    const manager = await connection.jetstreamManager();
    await manager.streams.delete(streamName).catch((error: unknown) => {
      if (!(error instanceof NatsError) || error.api_error?.code !== 404) throw error;
    });
    await recordErasures(connection, erasures);
  } finally {
    await connection.close();
  }
}
