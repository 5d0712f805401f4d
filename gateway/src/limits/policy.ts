import type { Plan, Principal } from '@lms/contracts/passport';
import type { Config } from '../config.ts';
import type { Place, Route } from '../routing/route.ts';

export const windowMs = 60_000;

export type Scope = Exclude<Route['limit'], 'none'>;
export type Metric = 'apiCalls' | 'uploads';
/** `null` stands for no limit. */
export type Quotas = Record<Metric, number | null>;

const unlimited: Quotas = { apiCalls: null, uploads: null };
const quotasByPlan: Record<Plan, Quotas> = {
  FREE: { apiCalls: 1_000, uploads: 10 },
  PRO: { apiCalls: 10_000, uploads: 100 },
  ENTERPRISE: unlimited,
};

export type Policy = ReturnType<typeof createPolicy>;

export function createPolicy(
  settings: Pick<
    Config,
    'RATE_LIMIT_GENERAL' | 'RATE_LIMIT_AUTH' | 'RATE_LIMIT_UPLOAD' | 'RATE_LIMIT_WEBHOOK' | 'QUOTAS_ENABLED'
  >,
) {
  const limits: Record<Scope, number> = {
    general: settings.RATE_LIMIT_GENERAL,
    auth: settings.RATE_LIMIT_AUTH,
    upload: settings.RATE_LIMIT_UPLOAD,
    webhook: settings.RATE_LIMIT_WEBHOOK,
  };
  return {
    limits,
    quotasEnabled: settings.QUOTAS_ENABLED,
    /** What somebody may use up in a month; admins are never counted out. */
    quotasOf({ plan, roles }: Principal): Quotas {
      return !settings.QUOTAS_ENABLED || roles.includes('ADMIN') ? unlimited : quotasByPlan[plan];
    },
  };
}

/** The limit by address that a request falls under, known before its method is; undefined for what is not counted. */
export function scopeOf(path: string, place: Place | undefined, method: string): Exclude<Scope, 'upload'> | undefined {
  // Preflights are the browser's doing; they are counted with the general ones.
  if (method === 'OPTIONS') return 'general';
  if (!place) return path.startsWith('/api/auth/') ? 'auth' : 'general';
  return place.limit === 'none' ? undefined : place.limit;
}
