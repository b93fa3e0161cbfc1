import { statusCommands } from './statuses/index.ts';

/** Every endpoint that changes something. */
export const commandEndpoints = [...statusCommands];
