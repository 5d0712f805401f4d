import type { Msg } from 'nats';
import type { Bus } from './bus.ts';

export interface SubscribeOptions {
  bus: Bus;
  /** A NATS subject, wildcards allowed. */
  subject: string;
  onEvent: (event: { type: string; data: unknown }) => void;
  /** Called when the line stands at first, and when it was lost: whatever was said before has been missed. */
  onGap: () => void;
}

/**
 * Hears events as they are said, without memory: for dropping cached answers, in every process of a kind.
 * Whoever must not miss an event uses `consume`. Resolves when the line stands, which may take until NATS is up:
 * nobody should wait for it at the start.
 */
export async function subscribe({ bus, subject, onEvent: heard, onGap: missed }: SubscribeOptions) {
  const { connection } = await bus.connected();
  connection.subscribe(subject, {
    callback(error, message) {
      const data = error ? undefined : read(message);
      if (data === undefined) return missed();
      heard({ type: message.subject.split('.').slice(1, -1).join('.'), data });
    },
  });
  void (async () => {
    for await (const { type } of connection.status()) if (type === 'disconnect' || type === 'reconnect') missed();
  })();
  await connection.flush();
  missed();
}

function read(message: Msg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
