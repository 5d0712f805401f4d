import { eventCommands } from '@lms/service/operator/event-commands';
import { removalHandlers, videoStateHandlers } from './hierarchy/on-media-changed.ts';
import { userHandlers } from './hierarchy/on-user-changed.ts';

export const commands = eventCommands(() => [...userHandlers, ...removalHandlers, ...videoStateHandlers]);
