/** The conditional headers of a request. */
export interface Conditions {
  'if-match'?: string | undefined;
  'if-none-match'?: string | undefined;
  'if-modified-since'?: string | undefined;
  'if-unmodified-since'?: string | undefined;
  'if-range'?: string | undefined;
}

export interface Validators {
  /** A strong entity tag, quoted. */
  etag: string;
  lastModified: Date;
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);
const readDate = (text: string): number | undefined => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1_000);
};

const tags = (header: string) => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
const lists = (header: string, holds: (tag: string) => boolean) => header.trim() === '*' || tags(header).some(holds);

/** The order and meaning of RFC 9110 §13.2.2: is the request to go on, or is it answered 304 or 412? */
export function evaluateConditions(conditions: Conditions, { etag, lastModified }: Validators): 'proceed' | 304 | 412 {
  const modified = seconds(lastModified);
  const { 'if-match': match, 'if-none-match': noneMatch } = conditions;
  if (match !== undefined) {
    if (!lists(match, (tag) => tag === etag)) return 412;
  } else {
    const limit = readDate(conditions['if-unmodified-since'] ?? '');
    if (limit !== undefined && modified > limit) return 412;
  }
  if (noneMatch !== undefined) return lists(noneMatch, (tag) => tag.replace(/^W\//, '') === etag) ? 304 : 'proceed';
  const since = readDate(conditions['if-modified-since'] ?? '');
  return since !== undefined && modified <= since ? 304 : 'proceed';
}

/** Whether the client's part is of what we have now, so that a range of it makes sense. A weak tag never says so. */
export function mayResume(ifRange: string | undefined, { etag, lastModified }: Validators): boolean {
  if (ifRange === undefined) return true;
  return ifRange.includes('"') ? ifRange.trim() === etag : readDate(ifRange) === seconds(lastModified);
}
