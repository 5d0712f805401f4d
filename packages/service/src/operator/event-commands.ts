import type { EventHandler } from '@lms/events/consume';
import { listDeadLetters, replayDeadLetter } from '@lms/events/dead-letters';
import { republish } from '@lms/events/relay';
import type { Command } from './command.ts';

/** Has the kept events of one thing told once more. */
export const republishCommand: Command = {
  usage: 'republish <id>',
  description: 'has the kept events of one thing told once more',
  run: async ({ database }, id = '') => `${await republish(database, id)} events will be told again`,
};

/** Shows and repeats the events that a service could not deal with. */
export const deadLetterCommands = <Settings>(
  listeners: (settings: Settings) => EventHandler[],
): Command<Settings>[] => [
  {
    usage: 'dead-letters list',
    description: 'shows the events that could not be dealt with',
    async run({ database }) {
      const letters = await listDeadLetters(database.db);
      const lines = letters.map(({ id, createdAt, consumer, subject, attempts, error }) =>
        [id, createdAt.toISOString(), consumer, subject, `${attempts} attempts`, error.split('\n')[0]].join('  '),
      );
      return [...lines, `${letters.length} dead letters`].join('\n');
    },
  },
  {
    usage: 'dead-letters replay <id>',
    description: 'deals with one of them again',
    async run({ database, settings }, id = '') {
      await replayDeadLetter(database.db, listeners(settings), id);
      return `${id} was dealt with`;
    },
  },
];
