import { deadLetterCommands, republishCommand } from '@lms/operator/event-commands';
import { loadOperatorConfig, runOperator } from '@lms/operator/run-operator';
import { handlers } from './consumers.ts';

const commands = [...deadLetterCommands(() => handlers), republishCommand];
process.exitCode = await runOperator({ service: 'enrollment', load: loadOperatorConfig, commands }, process);
