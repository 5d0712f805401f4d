import { deadLetterCommands, republishCommand } from '@lms/service/operator/event-commands';
import { loadOperatorConfig, runOperator } from '@lms/service/operator/run-operator';
import { handlers } from './consumers.ts';

const commands = [...deadLetterCommands(() => handlers), republishCommand];
process.exitCode = await runOperator({ service: 'enrollment', load: loadOperatorConfig, commands }, process);
