import { streamName } from '@lms/contracts/events/definition';
import { AckPolicy, type Consumer, type ConsumerInfo, DeliverPolicy, NatsError, nanos } from 'nats';
import type { Bus } from './bus.ts';

// Longer than handling a batch should take.
const ackWaitMs = 10_000;

export interface DurableConsumer {
  durable: string;
  /** One NATS subject; wildcards are allowed (more than one subject needs server 2.10). */
  filter: string;
}

/**
 * Opens the durable consumer, for the one process that uses it, and creates it if it does not exist. Events that a former
 * process received and did not acknowledge are delivered at once and in order, instead of after their time limit.
 */
export async function openConsumer(bus: Bus, { durable, filter }: DurableConsumer): Promise<Consumer> {
  const { jetstream, manager } = await bus.connected();

  const create = (startSequence?: number) =>
    manager.consumers.add(streamName, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      ...(startSequence === undefined
        ? { deliver_policy: DeliverPolicy.All }
        : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: startSequence }),
      filter_subject: filter,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: 1_000,
      // max_deliver stays unlimited: with a limit, server 2.9 stalls the whole consumer at a message that reached it.
    });

  const info = await manager.consumers.info(streamName, durable).catch(undefinedIfMissing);
  if (!info) await create();
  else if (info.num_ack_pending > 0) {
    await manager.consumers.delete(streamName, durable);
    await create(info.ack_floor.stream_seq + 1);
  }
  return jetstream.consumers.get(streamName, durable);
}

function undefinedIfMissing(error: unknown): ConsumerInfo | undefined {
  if (error instanceof NatsError && error.api_error?.code === 404) return undefined;
  throw error;
}
