import {
  beginEpochCommand,
  deadLetterCommands,
  republishCommand,
  republishSinceCommand,
} from '@lms/service/operator/event-commands';
import { loadOperatorConfig, runOperator } from '@lms/service/operator/run-operator';
import { removalHandlers, videoStateHandlers } from './hierarchy/on-media-changed.ts';
import { userHandlers } from './hierarchy/on-user-changed.ts';

const commands = [
  ...deadLetterCommands(() => [...userHandlers, ...removalHandlers, ...videoStateHandlers]),
  republishCommand,
  republishSinceCommand,
  beginEpochCommand,
];
process.exitCode = await runOperator({ service: 'content', load: loadOperatorConfig, commands }, process);
