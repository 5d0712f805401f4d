import {
  beginEpochCommand,
  deadLetterCommands,
  republishCommand,
  republishSinceCommand,
} from '@lms/service/operator/event-commands';
import { removalHandlers, videoStateHandlers } from './hierarchy/on-media-changed.ts';
import { userHandlers } from './hierarchy/on-user-changed.ts';

export const commands = [
  ...deadLetterCommands(() => [...userHandlers, ...removalHandlers, ...videoStateHandlers]),
  republishCommand,
  republishSinceCommand,
  beginEpochCommand,
];
