import { NatsError } from 'nats';
import type { Bus } from './bus.ts';

export interface LedgerOptions {
  stream: string;
  /** A prefix; the key is the last token of a subject. */
  subject: string;
}

/**
 * A set of keys in a stream of its own, which is kept when a database is restored. Keys are never removed. It is created
 * when it is first used.
 */
export function openLedger(bus: Pick<Bus, 'connected'>, { stream, subject }: LedgerOptions) {
  async function ensure() {
    const { manager } = await bus.connected();
    const find = () => manager.streams.info(stream, { subjects_filter: `${subject}.*` });
    return find().catch((error: unknown) => {
      if (!(error instanceof NatsError) || error.api_error?.code !== 404) throw error;
      const config = { name: stream, subjects: [`${subject}.*`], max_msgs_per_subject: 1 };
      // If another process creates it at the same time, this call can fail.
      return manager.streams.add(config).catch(find);
    });
  }

  return {
    async keys(): Promise<string[]> {
      const { state } = await ensure();
      return Object.keys(state.subjects ?? {}).map((name) => name.slice(subject.length + 1));
    },
    async add(key: string) {
      await ensure();
      const { jetstream } = await bus.connected();
      await jetstream.publish(`${subject}.${key}`, '');
    },
  };
}
export type Ledger = ReturnType<typeof openLedger>;
