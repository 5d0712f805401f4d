import type { Msg } from 'nats';
import type { Bus } from './bus.ts';

export interface SubscribeOptions {
  bus: Bus;
  /** A NATS subject; wildcards are allowed. */
  subject: string;
  onEvent: (event: { type: string; data: unknown }) => void;
  /** Called when the subscription starts and whenever events may have been missed: on disconnect, reconnect or an unreadable event. */
  onGap: () => void;
}

/**
 * Subscribes to events without durability, in every process of a service: for dropping cache entries. To receive every
 * event, use `consume`. Resolves when the subscription is active, which may take until NATS is up, so do not await it at
 * startup; or without one if the bus is closed before.
 */
export async function subscribe({ bus, subject, onEvent, onGap }: SubscribeOptions) {
  const connected = await bus.connected().catch(() => undefined);
  if (!connected) return;
  const { connection } = connected;
  connection.subscribe(subject, {
    callback(error, message) {
      const data = error ? undefined : read(message);
      if (data === undefined) return onGap();
      onEvent({ type: message.subject.split('.').slice(1, -1).join('.'), data });
    },
  });
  void (async () => {
    for await (const { type } of connection.status()) if (type === 'disconnect' || type === 'reconnect') onGap();
  })();
  // It fails only if the connection is closed.
  await connection.flush().catch(() => undefined);
  onGap();
}

function read(message: Msg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
