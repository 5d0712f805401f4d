import type { Month } from './months.ts';

/** A fixed window that a request counts in. */
export interface Window {
  key: string;
  limit: number;
}

/** What a window says after a request was counted in it. */
export interface WindowState {
  count: number;
  limit: number;
  resetAtMs: number;
}

/** What a request takes from somebody's month; limits are `null` where there are none. */
export interface Charge {
  userId: string;
  month: Month;
  calls: number | null;
  /** Set for uploads: reserved under this name until it is settled. */
  upload: { lease: string; limit: number | null } | undefined;
}

/** What one request is counted in: the windows from the first to the last, and then the month. */
export interface Item {
  windows: Window[];
  charge: Charge | undefined;
}

export interface Used {
  /** With this request, if it was not refused. */
  calls: number;
  uploads: number;
  refused: 'apiCalls' | 'uploads' | undefined;
}

export interface Outcome {
  /** The windows it was counted in; the last of them is the one that is over, if any is. */
  windows: WindowState[];
  isOver: boolean;
  /** Undefined when nothing was charged: no charge was asked for, or a window is over. */
  used: Used | undefined;
}
