export interface Rung {
  width: number;
  height: number;
  /** Bits per second of the video, at most. */
  maxBitrate: number;
}

const rungs = [
  { height: 240, maxBitrate: 400_000 },
  { height: 360, maxBitrate: 800_000 },
  { height: 480, maxBitrate: 1_400_000 },
  { height: 720, maxBitrate: 2_800_000 },
  { height: 1080, maxBitrate: 5_000_000 },
];

// The encoder needs even numbers.
const even = (length: number) => Math.max(2, Math.floor(length / 2) * 2);

/** The renditions of a video: never above the source, and at least one. */
export function ladderOf({ width, height }: { width: number; height: number }): Rung[] {
  const fitting = rungs.filter((rung) => rung.height <= height);
  const chosen = fitting.length > 0 ? fitting : rungs.slice(0, 1).map((rung) => ({ ...rung, height: even(height) }));
  return chosen.map((rung) => ({ ...rung, width: even(Math.round((width * rung.height) / height)) }));
}
