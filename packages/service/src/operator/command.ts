import type { Database } from '@lms/database/connect';

/** What a command works with: the service's database, and the settings that its front door asks for. */
export interface CommandContext<Settings> {
  database: Database;
  settings: Settings;
}

export interface Command<Settings = unknown> {
  /** Its words, with what varies in angle brackets: `dead-letters replay <id>`. */
  usage: string;
  /** What it does, for the list of commands. */
  description: string;
  /** Does it, given what stood in the brackets, and answers what to print. */
  run: (workplace: CommandContext<Settings>, ...values: string[]) => Promise<string>;
}

/** The command that the words stand for, ready to run; undefined where they stand for none. */
export function findCommand<Settings>(commands: Command<Settings>[], words: string[]) {
  for (const { usage, run } of commands) {
    const expected = usage.split(' ');
    if (expected.length !== words.length) continue;
    if (!expected.every((word, at) => isValue(word) || word === words[at])) continue;
    const values = words.filter((_, at) => isValue(expected[at] ?? ''));
    return (workplace: CommandContext<Settings>) => run(workplace, ...values);
  }
  return undefined;
}

const isValue = (word: string) => word.startsWith('<');

/** The list of all commands, for whoever asked for none of them. */
export function formatUsage(service: string, commands: Command<never>[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, description: about }) => `  ${usage.padEnd(width)}  ${about}`);
  return `usage: operator <command>\n\n${lines.join('\n')}\n\nDATABASE_URL (or DATABASE_URL_FILE) names ${service}'s database.\n`;
}
