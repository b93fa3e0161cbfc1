import { showProfile } from './show.ts';

export { profileOf } from './show.ts';

export const profileQueries = [showProfile];
