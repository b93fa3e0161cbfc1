import { appCommands } from './apps/index.ts';
import { statusCommands } from './statuses/index.ts';

/** Every endpoint that changes something. */
export const commandEndpoints = [...appCommands, ...statusCommands];
