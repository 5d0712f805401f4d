import { SingleBar } from 'cli-progress';

/** A progress bar on standard error; nothing is written if that is not a terminal. */
export function startProgress(status: string) {
  const format = '{status} [{bar}] {percentage} %';
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true });
  bar.start(100, 0, { status });
  return {
    update: (percent: number, status: string) => bar.update(percent, { status }),
    stop: () => bar.stop(),
  };
}
