import {
  beginEpochCommand,
  deadLetterCommands,
  republishCommand,
  republishSinceCommand,
} from '@lms/service/operator/event-commands';
import { loadOperatorConfig, runOperator } from '@lms/service/operator/run-operator';
import { handlers } from './consumers.ts';

const commands = [...deadLetterCommands(() => handlers), republishCommand, republishSinceCommand, beginEpochCommand];
process.exitCode = await runOperator({ service: 'enrollment', load: loadOperatorConfig, commands }, process);
