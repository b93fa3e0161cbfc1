import type { WebPage } from '#interfaces/web/page/page.ts';
import { firstPostStep } from './first-post.ts';
import { peopleStep } from './people.ts';
import { profileStep } from './profile.ts';

/** The first steps of a new user; those of the owner of a new server are in `settings/server/`. */
export const startPages: readonly WebPage[] = [profileStep, peopleStep, firstPostStep];
