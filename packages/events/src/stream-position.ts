import { streamName } from '@lms/contracts/events/definition';
import { type JetStreamManager, type MsgRequest, NatsError, type StoredMsg, type StreamState } from 'nats';

/** A place in the stream, and the event that a database knows to be there. */
export interface Position {
  id: string;
  sequence: number;
}

/** With `next_by_subj`, the first message from `seq` on with that subject. The client's types lack it. */
type MessageQuery = MsgRequest & { next_by_subj?: string };

/** Reads a stored message; undefined if there is none. */
export function findMessage(manager: JetStreamManager, query: MessageQuery): Promise<StoredMsg | undefined> {
  return manager.streams.getMessage(streamName, query).catch((error: unknown) => {
    if (error instanceof NatsError && error.api_error?.code === 404) return undefined;
    throw error;
  });
}

/** The id of the event in a stored message, as `toDelivery` reads it. */
export const idOf = ({ header, seq }: StoredMsg) => header.get('ce-id') || `${streamName}:${seq}`;

/**
 * Finds out how much of what a database knows the stream still has. It can lose its end: an acknowledged event may not be
 * on disk yet, or not on the replica that takes over.
 * @param before the last position with at most this sequence
 * @returns the sequence of a position that the stream still has, at or shortly before the last one; 0 if it has none;
 * undefined if the database knows none
 */
export async function lastCommonSequence(
  manager: JetStreamManager,
  { first_seq: firstSequence }: StreamState,
  before: (sequence: number) => Promise<Position | undefined>,
): Promise<number | undefined> {
  let position = await before(Number.MAX_SAFE_INTEGER);
  if (!position) return undefined;
  for (let step = 1; position; step *= 2) {
    const { id, sequence } = position;
    // Expired or purged, but not lost.
    if (sequence < firstSequence) return sequence;
    const message = await findMessage(manager, { seq: sequence });
    if (message && idOf(message) === id) return sequence;
    position = await before(sequence - step);
  }
  return 0;
}
