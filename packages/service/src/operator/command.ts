import type { Database } from '@lms/database/connect';

/** The arguments of a command: the service's database and the loaded settings. */
export interface CommandContext<Settings> {
  database: Database;
  settings: Settings;
}

export interface Command<Settings = unknown> {
  /** The command line, with parameters in angle brackets: `dead-letters replay <id>`. */
  usage: string;
  /** One line for the usage text. */
  description: string;
  /** Gets the values of the parameters and returns the text to print. */
  run: (context: CommandContext<Settings>, ...values: string[]) => Promise<string>;
}

/** Finds the command for the arguments; undefined if there is none. */
export function findCommand<Settings>(commands: Command<Settings>[], args: string[]) {
  for (const { usage, run } of commands) {
    const expected = usage.split(' ');
    if (expected.length !== args.length) continue;
    if (!expected.every((word, index) => isParameter(word) || word === args[index])) continue;
    const values = args.filter((_, index) => isParameter(expected[index] ?? ''));
    return (context: CommandContext<Settings>) => run(context, ...values);
  }
  return undefined;
}

const isParameter = (word: string) => word.startsWith('<');

export function formatUsage(service: string, commands: Command<never>[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, description }) => `  ${usage.padEnd(width)}  ${description}`);
  return `usage: operator <command>\n\n${lines.join('\n')}\n\nDATABASE_URL (or DATABASE_URL_FILE) is the database of ${service}.\n`;
}
