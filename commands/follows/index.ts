import { followByName } from './follow-by-name.ts';

export const followCommands = [followByName];
