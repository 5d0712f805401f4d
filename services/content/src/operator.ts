import {
  beginEpochCommand,
  deadLetterCommands,
  republishCommand,
  republishSinceCommand,
} from '@lms/service/operator/event-commands';
import { loadOperatorConfig, runOperator } from '@lms/service/operator/run-operator';
import { removalHandlers } from './hierarchy/on-media-removed.ts';
import { userHandlers } from './hierarchy/on-user-changed.ts';

const commands = [
  ...deadLetterCommands(() => [...userHandlers, ...removalHandlers]),
  republishCommand,
  republishSinceCommand,
  beginEpochCommand,
];
process.exitCode = await runOperator({ service: 'content', load: loadOperatorConfig, commands }, process);
