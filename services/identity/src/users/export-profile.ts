import { ExportIncomplete } from './errors.ts';

/** The parts of what is held about somebody, each with how to come by it. */
export type ExportSources = Readonly<Record<string, () => Promise<unknown>>>;

const retryAfterSeconds = '5';

/** Gathers every part, or tells which are missing: an export that leaves something out would pass for complete. */
export async function exportProfile(sources: ExportSources): Promise<Record<string, unknown>> {
  const parts = await Promise.all(
    Object.entries(sources).map(async ([name, fetch]) => {
      try {
        return { name, data: await fetch(), isMissing: false, cause: undefined };
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
