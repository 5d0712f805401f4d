import type { Db } from '@lms/database/connect';
import { createDurationHistogram } from '@lms/telemetry/durations';
import { collectGauge, createCounter, shareReading } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { ConsumerInfo } from 'nats';
import { countDeadLetters, readBacklog } from './backlog.ts';

const ageBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

/** What the metrics read from NATS. */
export interface NatsProbe {
  check: () => Promise<unknown>;
  consumerInfo: (durable: string) => Promise<ConsumerInfo>;
}

export type Outcome = 'done' | 'failed' | 'dead_lettered';

/** Registers metrics of the NATS connection, and creates those of the outbox and of consumers. */
export function createEventMetrics(registry: Registry, { check, consumerInfo: infoOf }: NatsProbe) {
  const durables: string[] = [];
  const ages = createDurationHistogram(
    registry,
    { name: 'event_age_seconds', help: 'Age of events when they were handled', labels: ['consumer'] },
    ageBounds,
  );
  const countDelivery = createCounter(registry, {
    name: 'event_deliveries_total',
    help: 'Deliveries by outcome: done, failed (will be retried), dead_lettered',
    labels: ['consumer', 'outcome'],
  });
  const countRedelivery = createCounter(registry, {
    name: 'event_redeliveries_total',
    help: 'Events that were delivered again',
    labels: ['consumer'],
  });
  collectGauge(registry, { name: 'nats_connected', help: '1 while NATS responds to pings' }, () =>
    check().then(
      () => 1,
      () => 0,
    ),
  );
  const consumerInfos = shareReading(() => Promise.all(durables.map(infoOf)));
  collectConsumerInfo('event_consumer_pending', 'Events that are not yet delivered', (info) => info.num_pending);
  collectConsumerInfo('event_consumer_unacknowledged', 'Events that are delivered and not yet acknowledged', (info) => {
    return info.num_ack_pending;
  });

  function collectConsumerInfo(name: string, help: string, read: (info: ConsumerInfo) => number) {
    collectGauge(registry, { name, help, labels: ['consumer'] }, async () =>
      (await consumerInfos()).map((info) => ({ labels: { consumer: info.name }, value: read(info) })),
    );
  }

  return {
    /** Metrics of one durable consumer. */
    consumer(name: string) {
      durables.push(name);
      const age = ages({ consumer: name });
      for (const outcome of ['done', 'failed', 'dead_lettered']) countDelivery({ consumer: name, outcome }, 0);
      countRedelivery({ consumer: name }, 0);
      return {
        redelivered: () => countRedelivery({ consumer: name }),
        delivered(outcome: Outcome, createdAt: string | undefined) {
          countDelivery({ consumer: name, outcome });
          if (outcome === 'done' && createdAt) age.observe(Math.max(0, Date.now() - Date.parse(createdAt)) / 1_000);
        },
      };
    },
    /** Metrics of a database's outbox and dead letters. */
    outbox(db: Db, isRelayFailing: () => boolean) {
      const backlog = shareReading(() => readBacklog(db));
      collectGauge(registry, { name: 'outbox_events', help: 'Unpublished events, counted up to 100,000' }, () =>
        backlog().then(({ events }) => events),
      );
      collectGauge(registry, { name: 'outbox_oldest_age_seconds', help: 'Age of the oldest unpublished event' }, () =>
        backlog().then(({ oldestSeconds }) => oldestSeconds),
      );
      // A server without disk space responds to pings but not to JetStream requests.
      const failing = { name: 'outbox_relay_failing', help: '1 after events could not be published, until they are' };
      collectGauge(registry, failing, () => (isRelayFailing() ? 1 : 0));
      collectGauge(
        registry,
        { name: 'dead_letters', help: 'Dead letters that were not replayed', labels: ['consumer'] },
        async () => {
          const counts = await countDeadLetters(db);
          const consumers = new Set([...durables, ...counts.keys()]);
          return [...consumers].map((consumer) => ({ labels: { consumer }, value: counts.get(consumer) ?? 0 }));
        },
      );
      return {
        published: createCounter(registry, { name: 'outbox_published_total', help: 'Published events' }),
        failed: createCounter(registry, {
          name: 'outbox_publish_failures_total',
          help: 'Publish attempts that NATS did not confirm',
        }),
      };
    },
  };
}
export type EventMetrics = ReturnType<typeof createEventMetrics>;
