import { SingleBar } from 'cli-progress';
import { type Job, untilFinished } from '../job.ts';

interface VisibleJob extends Job {
  id: string;
  percent: number;
  status: string;
}

type Update = (percent: number, status: string) => void;

/** Starts an import or export and waits for its end, with a progress bar on standard error if that is a terminal. */
export async function runJob<J extends VisibleJob>(
  firstStatus: string,
  start: (update: Update) => Promise<J>,
  read: (id: string) => Promise<J>,
): Promise<J> {
  const format = '{status} [{bar}] {percentage} %';
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true });
  const update: Update = (percent, status) => bar.update(percent, { status });
  bar.start(100, 0, { status: firstStatus });
  try {
    const started = await start(update);
    const onProgress = ({ percent, status }: J) => update(percent, status);
    return await untilFinished(started, () => read(started.id), { pollMs: 1_000, onProgress });
  } finally {
    bar.stop();
  }
}
