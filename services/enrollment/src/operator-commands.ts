import {
  beginEpochCommand,
  deadLetterCommands,
  republishCommand,
  republishSinceCommand,
} from '@lms/service/operator/event-commands';
import { handlers } from './consumers.ts';

export const commands = [
  ...deadLetterCommands(() => handlers),
  republishCommand,
  republishSinceCommand,
  beginEpochCommand,
];
