import { chromium, ensureBinaries, ffmpeg, natsServer, redisServer } from '../binaries/ensure-binaries.ts';
import { runCommand } from './run-command.ts';

/** Installs missing servers and the browser that the tests use. */
export async function ensureTestTools(): Promise<void> {
  const browser = process.env.CHROMIUM_PATH ? [] : [chromium];
  await ensureBinaries([natsServer, redisServer, ffmpeg, ...browser], {
    path: process.env.PATH ?? '',
    report: console.log,
    async runTask({ name, command }) {
      const { code, output } = await runCommand(command.file, command.args, { env: command.env ?? {} });
      if (code !== 0) throw new Error(`${name} exited with ${code}:\n${output}`);
    },
  });
}
