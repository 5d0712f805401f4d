export interface Conditions {
  'if-match'?: string | undefined;
  'if-none-match'?: string | undefined;
  'if-modified-since'?: string | undefined;
  'if-unmodified-since'?: string | undefined;
  'if-range'?: string | undefined;
}

export interface Validators {
  /** Strong and quoted. */
  etag: string;
  lastModified: Date;
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);
const parseDate = (text: string): number | undefined => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1_000);
};

const tags = (header: string) => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
const includesTag = (header: string, matches: (tag: string) => boolean) =>
  header.trim() === '*' || tags(header).some(matches);

/** Evaluates conditional headers in the order of RFC 9110 §13.2.2. */
export function evaluateConditions(conditions: Conditions, { etag, lastModified }: Validators): 'proceed' | 304 | 412 {
  const modified = seconds(lastModified);
  const { 'if-match': match, 'if-none-match': noneMatch } = conditions;
  if (match !== undefined) {
    if (!includesTag(match, (tag) => tag === etag)) return 412;
  } else {
    const limit = parseDate(conditions['if-unmodified-since'] ?? '');
    if (limit !== undefined && modified > limit) return 412;
  }
  if (noneMatch !== undefined)
    return includesTag(noneMatch, (tag) => tag.replace(/^W\//, '') === etag) ? 304 : 'proceed';
  const since = parseDate(conditions['if-modified-since'] ?? '');
  return since !== undefined && modified <= since ? 304 : 'proceed';
}

/** Whether `If-Range` matches the current object, so that a range may be sent. A weak tag never matches. */
export function mayResume(ifRange: string | undefined, { etag, lastModified }: Validators): boolean {
  if (ifRange === undefined) return true;
  return ifRange.includes('"') ? ifRange.trim() === etag : parseDate(ifRange) === seconds(lastModified);
}
