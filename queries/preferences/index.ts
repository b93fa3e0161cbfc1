import { showPreferences } from './show.ts';

export { preferencesOf } from './show.ts';

export const preferenceQueries = [showPreferences];
