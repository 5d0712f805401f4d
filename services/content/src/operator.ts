import { deadLetterCommands, republishCommand } from '@lms/operator/event-commands';
import { loadOperatorConfig, runOperator } from '@lms/operator/run-operator';
import { userHandlers } from './hierarchy/on-user-changed.ts';

const commands = [...deadLetterCommands(() => userHandlers), republishCommand];
process.exitCode = await runOperator({ service: 'content', load: loadOperatorConfig, commands }, process);
