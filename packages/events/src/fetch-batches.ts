import type { Consumer, JsMsg } from 'nats';

const fetchMs = 5_000;
const maxFetched = 500;
const maxBatch = 100;

/** Requests messages for some seconds. Each batch is what has arrived while the one before was processed. */
export async function* fetchBatches(consumer: Consumer, signal: AbortSignal): AsyncGenerator<JsMsg[]> {
  const messages = await consumer.fetch({ max_messages: maxFetched, expires: fetchMs });
  // Without this, a fetch on a closed connection waits until it expires.
  const stop = () => messages.stop();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();

  const arrived: JsMsg[] = [];
  let wake: () => void = () => undefined;
  let reading = true;
  const read = (async () => {
    for await (const message of messages) {
      arrived.push(message);
      wake();
    }
  })().finally(() => {
    reading = false;
    wake();
  });
  // It is awaited below, unless the consumer of the batches fails before.
  read.catch(() => undefined);
  try {
    while (!signal.aborted && (reading || arrived.length > 0)) {
      if (arrived.length > 0) yield arrived.splice(0, maxBatch);
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    await read;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
