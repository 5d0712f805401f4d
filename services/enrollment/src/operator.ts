import { deadLetterCommands, republishCommand } from '@lms/operator/event-commands';
import { loadOperatorConfig, runOperator } from '@lms/operator/run-operator';
import { listeners } from './consumers.ts';

const commands = [...deadLetterCommands(() => listeners), republishCommand];
process.exitCode = await runOperator({ service: 'enrollment', load: loadOperatorConfig, commands }, process);
