import { ExportIncomplete } from './errors.ts';

/** The parts of an export: the name of each and a function that loads it. */
export type ExportSources = Readonly<Record<string, () => Promise<unknown>>>;

const retryAfterSeconds = '5';

/**
 * Loads all parts.
 * @throws ExportIncomplete, which names the missing parts: a partial export would look complete
 */
export async function exportProfile(sources: ExportSources): Promise<Record<string, unknown>> {
  const parts = await Promise.all(
    Object.entries(sources).map(async ([name, load]) => {
      try {
        return { name, data: await load(), isMissing: false, cause: undefined };
      } catch (cause) {
        return { name, data: null, isMissing: true, cause };
      }
    }),
  );
  const missing = parts.filter(({ isMissing }) => isMissing);
  if (missing.length === 0) return Object.fromEntries(parts.map(({ name, data }) => [name, data]));
  throw new ExportIncomplete({
    details: { missing: missing.map(({ name }) => name) },
    headers: { 'retry-after': retryAfterSeconds },
    cause: missing[0]?.cause,
  });
}
