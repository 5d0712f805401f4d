import type { Bus } from './bus.ts';

export interface ListenOptions {
  bus: Bus;
  /** A NATS subject, wildcards allowed. */
  subject: string;
  heard: (event: { type: string; data: unknown }) => void;
  /** Called when the line was lost: whatever was said meanwhile has been missed. */
  missed: () => void;
}

/**
 * Hears events as they are said, without memory: for dropping cached answers, in every process of a kind.
 * Whoever must not miss an event uses `consume`.
 */
export async function listen({ bus, subject, heard, missed }: ListenOptions) {
  const { connection } = await bus.connected();
  connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) return missed();
      heard({ type: message.subject.split('.').slice(1, -1).join('.'), data: message.json() });
    },
  });
  void (async () => {
    for await (const status of connection.status())
      if (status.type === 'disconnect' || status.type === 'reconnect') missed();
  })();
}
