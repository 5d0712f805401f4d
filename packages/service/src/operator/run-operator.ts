import { ConfigError, configExitCode, type Environment, loadConfig } from '@lms/config/load-config';
import { PostgresUrl } from '@lms/config/settings';
import { connect } from '@lms/database/connect';
import { Type } from '@sinclair/typebox';
import { type Command, findCommand, formatUsage } from './command.ts';

// EX_USAGE of sysexits.h.
const usageExitCode = 64;

export const operatorSettings = { DATABASE_URL: PostgresUrl() };

/** Loads the settings of commands that only need the database. */
export const loadOperatorConfig = (environment: Environment) => loadConfig(Type.Object(operatorSettings), environment);

export interface OperatorOptions<Settings extends { DATABASE_URL: string }> {
  service: string;
  /** @throws ConfigError */
  load: (environment: Environment) => Settings;
  commands: Command<Settings>[];
}

interface Output {
  write: (text: string) => unknown;
}

/** The parts of `process` that a command uses. */
export interface ProcessStreams {
  argv: string[];
  env: Environment;
  stdout: Output;
  stderr: Output;
}

/** The body of a service's `operator.ts`: runs one command. Returns the exit code: 0, 1, 64 (usage) or 78 (invalid settings). */
export async function runOperator<Settings extends { DATABASE_URL: string }>(
  { service, load, commands }: OperatorOptions<Settings>,
  { argv, env, stdout, stderr }: ProcessStreams,
): Promise<number> {
  const run = findCommand(commands, argv.slice(2));
  if (!run) {
    stderr.write(formatUsage(service, commands));
    return usageExitCode;
  }
  try {
    const settings = load(env);
    const database = connect(settings.DATABASE_URL, { max: 1, applicationName: `${service}-operator` });
    stdout.write(`${await run({ database, settings }).finally(database.close)}\n`);
    return 0;
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return error instanceof ConfigError ? configExitCode : 1;
  }
}
