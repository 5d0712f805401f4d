import { listDeadLetters, replayDeadLetter } from '@lms/events/dead-letters';
import type { EventHandler } from '@lms/events/event-handler';
import { republish, republishSince } from '@lms/events/republish';
import { beginEpochNow } from '@lms/events/restored-database';
import type { Command } from './command.ts';

const republishCommand: Command = {
  usage: 'republish <id>',
  description: 'publish the stored events of an aggregate again',
  run: async ({ database }, id = '') => `${await republish(database, id)} events will be published again`,
};

export const republishSinceCommand: Command = {
  usage: 'republish --since <time>',
  description: 'publish all stored events since a time again',
  async run({ database }, time = '') {
    const since = new Date(time);
    if (Number.isNaN(since.getTime())) throw new Error(`${time} is not a time, as in 2026-11-21T08:00:00Z`);
    return `${await republishSince(database, since)} events will be published again`;
  },
};

export const beginEpochCommand: Command = {
  usage: 'begin-epoch',
  description:
    'publish all stored events again with higher versions, after the database was restored and the stream lost',
  run: async ({ database }) => `epoch ${await beginEpochNow(database.db)} began`,
};

/** Commands to list and replay dead letters. */
export const deadLetterCommands = <Settings>(handlers: (settings: Settings) => EventHandler[]): Command<Settings>[] => [
  {
    usage: 'dead-letters list',
    description: 'list the events whose handler kept failing',
    async run({ database }) {
      const deadLetters = await listDeadLetters(database.db);
      const lines = deadLetters.map(({ id, createdAt, consumer, subject, attempts, error }) =>
        [id, createdAt.toISOString(), consumer, subject, `${attempts} attempts`, error.split('\n')[0]].join('  '),
      );
      return [...lines, `${deadLetters.length} dead letters`].join('\n');
    },
  },
  {
    usage: 'dead-letters replay <id>',
    description: 'handle one of them again',
    async run({ database, settings }, id = '') {
      await replayDeadLetter(database.db, handlers(settings), id);
      return `${id} was replayed`;
    },
  },
];

/** The commands of a service whose events can all be published again by the id of their aggregate. */
export const eventCommands = <Settings>(handlers: (settings: Settings) => EventHandler[]): Command<Settings>[] => [
  ...deadLetterCommands(handlers),
  republishCommand,
  republishSinceCommand,
  beginEpochCommand,
];
