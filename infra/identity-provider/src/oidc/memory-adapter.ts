import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Entry {
  model: string;
  id: string;
  payload: AdapterPayload;
  expiresAt: number;
}

const sweepIntervalMs = 60_000;

/**
 * Stores sessions, codes, grants and refresh tokens in memory: after a restart users sign in again.
 * The providers before and after a key rotation share it.
 */
export function createMemoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, Entry>();
  let lastSweepAt = Date.now();

  function removeExpired(): void {
    const now = Date.now();
    if (now - lastSweepAt < sweepIntervalMs) return;
    lastSweepAt = now;
    for (const [key, entry] of entries) if (entry.expiresAt <= now) entries.delete(key);
  }

  function findWhere(matches: (entry: Entry) => boolean): AdapterPayload | undefined {
    for (const entry of entries.values()) if (matches(entry) && entry.expiresAt > Date.now()) return entry.payload;
    return undefined;
  }

  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    return {
      upsert: async (id, payload, expiresIn) => {
        removeExpired();
        const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresIn * 1000;
        entries.set(keyOf(id), { model, id, payload, expiresAt });
      },
      find: async (id) => findByKey(keyOf(id)),
      findByUid: async (uid) => findWhere((entry) => entry.model === model && entry.payload.uid === uid),
      findByUserCode: async (userCode) =>
        findWhere((entry) => entry.model === model && entry.payload.userCode === userCode),
      consume: async (id) => {
        const entry = entries.get(keyOf(id));
        if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => {
        entries.delete(keyOf(id));
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, entry] of entries) {
          if (entry.model === model && entry.payload.grantId === grantId) entries.delete(key);
        }
      },
    };
  };

  function findByKey(key: string): AdapterPayload | undefined {
    const entry = entries.get(key);
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined;
  }
}
