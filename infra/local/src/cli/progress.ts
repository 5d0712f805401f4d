import { SingleBar } from 'cli-progress';

type Update = (percent: number, status: string) => void;

/** Shows a progress bar on standard error during the work; nothing is written if that is not a terminal. */
export async function withProgress<T>(status: string, work: (update: Update) => Promise<T>): Promise<T> {
  const format = '{status} [{bar}] {percentage} %';
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true });
  bar.start(100, 0, { status });
  try {
    return await work((percent, current) => bar.update(percent, { status: current }));
  } finally {
    bar.stop();
  }
}
