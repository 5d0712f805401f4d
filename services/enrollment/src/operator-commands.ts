import type { Database } from '@lms/database/connect';
import { listDeadLetters, replayDeadLetter } from '@lms/events/dead-letters';
import { republish } from '@lms/events/relay';
import { listeners } from './listeners.ts';

export const usage = `usage: operator <command>

  dead-letters list             shows the events that could not be dealt with
  dead-letters replay <id>      deals with one of them again
  republish <enrollmentId>      has the kept events of an enrollment told once more

DATABASE_URL (or DATABASE_URL_FILE) names enrollment's database.
`;

async function showDeadLetters({ db }: Database): Promise<string> {
  const letters = await listDeadLetters(db);
  const lines = letters.map(({ id, createdAt, consumer, subject, attempts, error }) =>
    [id, createdAt.toISOString(), consumer, subject, `${attempts} attempts`, error.split('\n')[0]].join('  '),
  );
  return [...lines, `${letters.length} dead letters`].join('\n');
}

async function replay({ db }: Database, id: string): Promise<string> {
  await replayDeadLetter(db, listeners, id);
  return `${id} was dealt with`;
}

/** Does what was asked and answers what to print. */
export type Command = (database: Database) => Promise<string>;

/** The command that the words stand for, or undefined where they stand for none. */
export function chooseCommand(words: string[]): Command | undefined {
  const [command, first, second] = words;
  if (command === 'republish' && first && words.length === 2)
    return async (database) => `${await republish(database, first)} events will be told again`;
  if (command !== 'dead-letters') return undefined;
  if (first === 'list' && words.length === 2) return showDeadLetters;
  return first === 'replay' && second && words.length === 3 ? (database) => replay(database, second) : undefined;
}
