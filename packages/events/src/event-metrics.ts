import type { Db } from '@lms/database/connect';
import { createDurationHistogram } from '@lms/telemetry/durations';
import { collectGauge, createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { ConsumerInfo } from 'nats';
import { countDeadLetters, readBacklog } from './backlog.ts';

const ageBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

/** What the measures ask of the line to NATS. */
export interface NatsProbe {
  check: () => Promise<unknown>;
  consumerInfo: (durable: string) => Promise<ConsumerInfo>;
}

export type Outcome = 'done' | 'failed' | 'set_aside';

/** What a process tells of its line to NATS, its outbox and its consumers. */
export function createEventMetrics(registry: Registry, { check, consumerInfo: infoOf }: NatsProbe) {
  const durables: string[] = [];
  const ages = createDurationHistogram(
    registry,
    { name: 'event_age_seconds', help: 'How old events were when they had been dealt with', labels: ['consumer'] },
    ageBounds,
  );
  const countDelivery = createCounter(registry, {
    name: 'event_deliveries_total',
    help: 'Deliveries: done, failed and to be tried again, or set aside as a dead letter',
    labels: ['consumer', 'outcome'],
  });
  const countRedelivery = createCounter(registry, {
    name: 'event_redeliveries_total',
    help: 'Deliveries of what had been delivered before',
    labels: ['consumer'],
  });
  collectGauge(registry, { name: 'nats_connected', help: '1 while NATS answers' }, () =>
    check().then(
      () => 1,
      () => 0,
    ),
  );
  askOf('event_consumer_pending', 'Events that wait to be delivered', (info) => info.num_pending);
  askOf('event_consumer_unacknowledged', 'Events that were delivered and not yet dealt with', (info) => {
    return info.num_ack_pending;
  });

  function askOf(name: string, help: string, read: (info: ConsumerInfo) => number) {
    collectGauge(registry, { name, help, labels: ['consumer'] }, () =>
      Promise.all(durables.map(async (consumer) => ({ labels: { consumer }, value: read(await infoOf(consumer)) }))),
    );
  }

  return {
    /** Measures one durable consumer. */
    consumer(name: string) {
      durables.push(name);
      const age = ages({ consumer: name });
      for (const outcome of ['done', 'failed', 'set_aside']) countDelivery({ consumer: name, outcome }, 0);
      countRedelivery({ consumer: name }, 0);
      return {
        redelivered: () => countRedelivery({ consumer: name }),
        delivered(outcome: Outcome, toldAt: string | undefined) {
          countDelivery({ consumer: name, outcome });
          if (outcome === 'done' && toldAt) age.observe(Math.max(0, Date.now() - Date.parse(toldAt)) / 1_000);
        },
      };
    },
    /** Measures the outbox of a database, and what its consumers have set aside. */
    outbox(db: Db) {
      collectGauge(
        registry,
        { name: 'outbox_events', help: 'Events that are not yet published, 100,000 at most' },
        () => readBacklog(db).then(({ events }) => events),
      );
      collectGauge(registry, { name: 'outbox_oldest_age_seconds', help: 'How long the first of them has waited' }, () =>
        readBacklog(db).then(({ oldestSeconds }) => oldestSeconds),
      );
      collectGauge(
        registry,
        { name: 'dead_letters', help: "Events that wait for somebody's decision", labels: ['consumer'] },
        async () => {
          const counts = await countDeadLetters(db);
          const consumers = new Set([...durables, ...counts.keys()]);
          return [...consumers].map((consumer) => ({ labels: { consumer }, value: counts.get(consumer) ?? 0 }));
        },
      );
      return {
        published: createCounter(registry, { name: 'outbox_published_total', help: 'Events that NATS has taken' }),
        failed: createCounter(registry, {
          name: 'outbox_publish_failures_total',
          help: 'Attempts to publish that NATS has not confirmed',
        }),
      };
    },
  };
}
export type EventMetrics = ReturnType<typeof createEventMetrics>;
