import { eventCommands } from '@lms/service/operator/event-commands';
import { handlers } from './consumers.ts';

export const commands = eventCommands(() => handlers);
