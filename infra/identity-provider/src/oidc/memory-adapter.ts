import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterPayload } from 'oidc-provider';

const maxEntries = 10_000;

/**
 * Stores sessions, codes, grants and refresh tokens in memory: after a restart users sign in again.
 * The providers before and after a key rotation share it.
 */
export function createMemoryAdapter(): (model: string) => Adapter {
  const entries = new LRUCache<string, AdapterPayload>({ maxSize: maxEntries, sizeCalculation: () => 1 });

  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    const findWhere = (matches: (payload: AdapterPayload) => boolean) =>
      entries.find((payload, key) => key.startsWith(keyOf('')) && matches(payload));
    return {
      upsert: async (id, payload, expiresIn) => {
        entries.set(keyOf(id), payload, expiresIn === undefined ? {} : { ttl: expiresIn * 1_000 });
      },
      find: async (id) => entries.get(keyOf(id)),
      findByUid: async (uid) => findWhere((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => findWhere((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const payload = entries.get(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
      },
      destroy: async (id) => {
        entries.delete(keyOf(id));
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of [...entries])
          if (key.startsWith(keyOf('')) && payload.grantId === grantId) entries.delete(key);
      },
    };
  };
}
