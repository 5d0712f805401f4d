import { execFile, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ToolLimits {
  /** How long a run may take. */
  timeoutMs: number;
  memoryBytes: number;
  /** The size of each file that a run may write. */
  fileBytes: number;
}

export interface ToolRun {
  /** The working directory, which contains the input and receives the output. */
  directory: string;
  signal: AbortSignal;
  /** If it is shorter than that of all runs. */
  maxMs?: number;
  onLine?: (line: string) => void;
}

export type Tool = 'ffmpeg' | 'ffprobe';

/** A run that failed by itself; `signal` says what ended it. */
export class ToolFailed extends Error {
  override name = 'ToolFailed';
  readonly signal: NodeJS.Signals | null;
  readonly log: string;
  constructor(tool: Tool, code: number | null, signal: NodeJS.Signals | null, log: string) {
    super(`${tool} ended with ${signal ?? `code ${code}`}: ${log.slice(-500)}`);
    this.signal = signal;
    this.log = log;
  }
}

export class ToolTimeout extends Error {
  override name = 'ToolTimeout';
}

const maxLogCharacters = 64 * 1_024;
// In a user namespace of its own, a program cannot read the environment of the worker, which contains secrets.
// Each wrapper replaces itself with the next program, so that all have the process id of the first. A change of user
// namespaces would cancel the signal at the death of the parent, so it comes first.
const networkWrappers = [
  ['unshare', '--user', '--map-root-user', '--net', '--'],
  ['unshare', '--net', '--'],
];
const deathWrapper = ['setpriv', '--pdeathsig', 'KILL', '--'];

/**
 * Runs ffmpeg and ffprobe on unchecked files: without network where the system permits that, with limits on
 * memory, processor time and output, with a low priority, and only as long as this process lives.
 */
export function createConfinedTools({ timeoutMs, memoryBytes, fileBytes }: ToolLimits) {
  // Decoding uses several processors.
  const processorSeconds = Math.ceil((timeoutMs / 1_000) * 16);
  const limitWrapper = [
    'prlimit',
    `--as=${memoryBytes}`,
    `--cpu=${processorSeconds}`,
    `--fsize=${fileBytes}`,
    '--core=0',
    '--',
  ];
  let wrappers: Promise<string[]> | undefined;

  async function findWrappers(): Promise<string[]> {
    const network = await firstUsable(networkWrappers);
    const rest = await Promise.all([deathWrapper, limitWrapper].map(async (wrapper) => firstUsable([wrapper])));
    return [network, ...rest].flat();
  }

  return {
    /** What of the confinement this system permits. */
    async describe() {
      wrappers ??= findWrappers();
      const used = await wrappers;
      return {
        withoutNetwork: used.includes('--net'),
        withoutSecrets: used.includes('--user'),
        withLimits: used.includes('prlimit'),
        endsWithWorker: used.includes('setpriv'),
      };
    },

    /** Rejects with the reason unless both programs are installed, with the encoders that renditions need. */
    async check() {
      const { stdout } = await run('ffmpeg', ['-hide_banner', '-encoders'], { env: environment() }).catch(notInstalled);
      const missing = ['libx264', 'aac'].filter((name) => !stdout.includes(` ${name} `));
      if (missing.length > 0) throw new Error(`ffmpeg has no encoder ${missing.join(', ')}`);
      await run('ffprobe', ['-version'], { env: environment() }).catch(notInstalled);
    },

    /** @returns what the program wrote to its log and to its output @throws ToolFailed, ToolTimeout, or the reason of the signal */
    async run(tool: Tool, args: string[], { directory, signal, maxMs = timeoutMs, onLine }: ToolRun) {
      wrappers ??= findWrappers();
      const [file = tool, ...rest] = [...(await wrappers), tool, ...args];
      signal.throwIfAborted();
      const child = spawn(file, rest, { cwd: directory, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
      const lines: string[] = [];
      let log = '';
      let hasTimedOut = false;
      const kill = () => child.kill('SIGKILL');
      const allowedMs = Math.min(maxMs, timeoutMs);
      const timer = setTimeout(() => {
        hasTimedOut = true;
        kill();
      }, allowedMs);
      signal.addEventListener('abort', kill, { once: true });
      createInterface({ input: child.stdout }).on('line', onLine ?? ((line) => lines.push(line)));
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-maxLogCharacters);
      });
      try {
        const ended = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
          child.once('spawn', () => lowerPriority(child.pid));
          child.once('error', reject);
          child.once('close', (code, endSignal) => resolve({ code, signal: endSignal }));
        });
        signal.throwIfAborted();
        if (hasTimedOut) throw new ToolTimeout(`${tool} took longer than ${allowedMs / 1_000} seconds`);
        if (ended.code !== 0) throw new ToolFailed(tool, ended.code, ended.signal, log);
        return { log, output: lines.join('\n') };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', kill);
      }
    },
  };
}
export type ConfinedTools = ReturnType<typeof createConfinedTools>;

const environment = () => ({ PATH: process.env.PATH, LC_ALL: 'C' });

async function firstUsable(candidates: string[][]): Promise<string[]> {
  for (const [file = '', ...args] of candidates) {
    const isUsable = await run(file, [...args, 'true'], { env: environment() }).then(
      () => true,
      () => false,
    );
    if (isUsable) return [file, ...args];
  }
  return [];
}

function lowerPriority(pid: number | undefined) {
  try {
    if (pid !== undefined) setPriority(pid, 5);
  } catch {
    // It has ended already.
  }
}

function notInstalled(error: unknown): never {
  const { code } = Object(error);
  throw code === 'ENOENT' ? new Error('ffmpeg is not installed: videos are not processed') : error;
}
