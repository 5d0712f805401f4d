/** A UTC month as quotas count it. */
export interface Month {
  /** Like `2026-01`. */
  name: string;
  start: Date;
  /** The start of the next one. */
  end: Date;
}

let current = monthAt(new Date());

function monthAt(now: Date): Month {
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  return { name: start.toISOString().slice(0, 7), start, end };
}

export function currentMonth(): Month {
  const now = Date.now();
  if (now >= current.end.getTime() || now < current.start.getTime()) current = monthAt(new Date(now));
  return current;
}
