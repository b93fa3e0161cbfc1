import { updatePreferences } from './update.ts';

export const preferenceCommands = [updatePreferences];
