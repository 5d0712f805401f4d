import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { enrollmentStatuses } from '@lms/contracts/events/enrollment';

export const usage = `Usage: npm run lms -- COMMAND [options]

  import FILE [--mode create|upsert|mirror] [--dry-run]
      imports a curriculum: .json, .zip, .csv or .imscc
  export [--format json|zip|csv|imscc] [--root-type level|grade|subject|topic --root-id ID] [--include-media] [-o FILE]
      exports the curriculum, or one item with everything below it
  roster import FILE [--dry-run]
      enrolls the users of a CSV file with the columns email, userId, subjectId, subjectExternalId, expiresAt
  roster export [--subject ID] [--status STATUS] [-o FILE]
      downloads all enrollments as CSV; with --subject, the learners of the subject with their progress

Every command takes --url (the gateway; by default that of the local stack). The access token is LMS_TOKEN; without it the
local identity provider signs in --email (admin@lms.test) with --password (password). FILE "-" is standard output.

Exit codes: 0 success, 1 failure or lines with errors, 2 wrong usage`;

/** The command failed, and has said so. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const options = {
  url: { type: 'string' },
  email: { type: 'string', default: 'admin@lms.test' },
  password: { type: 'string', default: 'password' },
  'dry-run': { type: 'boolean', default: false },
  mode: { type: 'string' },
  format: { type: 'string', default: 'zip' },
  'root-type': { type: 'string' },
  'root-id': { type: 'string' },
  'include-media': { type: 'boolean', default: false },
  subject: { type: 'string' },
  status: { type: 'string' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const modes = ['create', 'upsert', 'mirror'] as const;
const formats = ['json', 'zip', 'csv', 'imscc'] as const;
const rootTypes = ['level', 'grade', 'subject', 'topic'] as const;

const wrongUsage = (message: string) => new CommandFailed(`${message}\n\n${usage}`, 2);

/** npm runs scripts in the folder of the package; file names are relative to that of the user. */
const resolveIn = (environment: NodeJS.ProcessEnv, file: string) =>
  file === '-' ? file : resolve(environment.INIT_CWD ?? '.', file);

/** @throws CommandFailed with the exit code 2 */
export function parseCommand(args: string[], environment: NodeJS.ProcessEnv) {
  const { values, positionals } = parse(args);
  const [first = 'help', second = '', third = ''] = positionals;
  const connection = { url: values.url, email: values.email, password: values.password };
  const directory = resolveIn(environment, '.');
  const output = values.output === undefined ? undefined : resolveIn(environment, values.output);
  const inputOf = (file: string) => {
    if (file === '') throw wrongUsage('A file is required.');
    return resolveIn(environment, file);
  };
  const dryRun = values['dry-run'];
  if (values.help || first === 'help') return { ...connection, name: 'help' } as const;
  if (first === 'import') {
    const mode = oneOf('mode', modes, values) ?? 'upsert';
    return { ...connection, name: 'import', file: inputOf(second), mode, dryRun } as const;
  }
  if (first === 'export') {
    const [rootType, rootId] = [oneOf('root-type', rootTypes, values), values['root-id']];
    if ((rootType === undefined) !== (rootId === undefined))
      throw wrongUsage('--root-type and --root-id belong together.');
    const root = rootType && rootId ? { rootType, rootId } : {};
    const format = oneOf('format', formats, values) ?? 'zip';
    const includeMedia = values['include-media'];
    return { ...connection, name: 'export', format, root, includeMedia, output, directory } as const;
  }
  if (first === 'roster' && second === 'import')
    return { ...connection, name: 'roster import', file: inputOf(third), dryRun } as const;
  const status = oneOf('status', enrollmentStatuses, values);
  if (first === 'roster' && second === 'export')
    return {
      ...connection,
      name: 'roster export',
      subject: values.subject,
      status,
      output,
      directory,
    } as const;
  throw wrongUsage(`Unknown command: ${positionals.join(' ')}`);
}

function oneOf<const T extends string>(name: string, allowed: readonly T[], values: Record<string, unknown>) {
  const found = allowed.find((one) => one === values[name]);
  if (values[name] !== undefined && !found) throw wrongUsage(`--${name} must be one of ${allowed.join(', ')}.`);
  return found;
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw wrongUsage(error instanceof Error ? error.message : String(error));
  }
}

type Command = ReturnType<typeof parseCommand>;
export type CommandOf<N extends Command['name']> = Extract<Command, { name: N }>;
export type Connection = Pick<Command, 'url' | 'email' | 'password'>;
