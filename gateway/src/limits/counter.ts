import type { Tally } from '../tally.ts';
import type { Item, Outcome, WindowState } from './item.ts';
import type { BookKeeper } from './keep-book.ts';
import type { LocalWindows } from './local-windows.ts';
import type { QuotaBook } from './quota-book.ts';
import type { Store } from './store.ts';

export interface CounterParts {
  store: Store;
  windows: LocalWindows;
  book: QuotaBook;
  keeper: BookKeeper;
  tally: Pick<Tally, 'countedAlone'>;
}

interface Waiting {
  item: Item;
  resolve: (outcome: Outcome) => void;
}

const mostAtOnce = 512;

/**
 * Counts requests: one script call to Redis is on its way at a time, and whoever comes meanwhile shares the next, so
 * that calls become fewer as requests become more. While Redis is away, this process counts alone.
 */
export function createCounter({ store, windows, book, keeper, tally }: CounterParts) {
  const waiting: Waiting[] = [];
  let isCounting = false;

  async function flush() {
    isCounting = true;
    try {
      while (waiting.length > 0) await settle(waiting.splice(0, mostAtOnce));
    } finally {
      isCounting = false;
    }
  }

  async function settle(batch: Waiting[]) {
    const counted = await store.count(batch.map(({ item }) => item));
    if (!counted) {
      for (const { item, resolve } of batch) resolve(countAlone(item));
      return;
    }
    const isStale = keeper.isStale(counted.epoch);
    const nowMs = Date.now();
    batch.forEach(({ item, resolve }, index) => {
      const outcome = counted.outcomes[index] ?? countAlone(item);
      outcome.windows.forEach((state, at) => {
        const window = item.windows[at];
        if (window) windows.adopt(window, state, nowMs);
      });
      if (item.charge && outcome.used && !outcome.used.refused) {
        const { userId } = item.charge;
        book.adopt('apiCalls', userId, isStale ? book.get('apiCalls', userId) + 1 : outcome.used.calls);
      }
      resolve(outcome);
    });
    keeper.notice(counted.epoch);
  }

  function countAlone({ windows: asked, charge }: Item): Outcome {
    tally.countedAlone += 1;
    const nowMs = Date.now();
    const states: WindowState[] = [];
    for (const window of asked) {
      const state = windows.hit(window, nowMs);
      states.push(state);
      if (state.count > window.limit) return { windows: states, isOver: true, used: undefined };
    }
    return { windows: states, isOver: false, used: charge && book.charge(charge) };
  }

  return {
    count(item: Item): Promise<Outcome> {
      return new Promise((resolve) => {
        if (waiting.push({ item, resolve }) === 1 && !isCounting) setImmediate(flush);
      });
    },
  };
}
export type Counter = ReturnType<typeof createCounter>;
