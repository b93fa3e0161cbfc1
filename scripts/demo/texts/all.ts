import type { Random } from '../random.ts';
import { BIRD_POSTS } from './birds.ts';
import { CULTURE_POSTS } from './culture.ts';
import { type Draft, said } from './draft.ts';
import { GARDEN_POSTS } from './garden.ts';
import { KITCHEN_POSTS } from './kitchen.ts';
import { LATE_POSTS } from './lately.ts';
import { GONE } from './neighbours.ts';
import { seriesPosts } from './series.ts';
import { STREET_POSTS } from './streets.ts';

/** Posts of the person who then deletes their account. */
const GONE_POSTS: readonly Draft[] = [
  said(GONE.username, 'New here. Is there a quiet corner?', { day: 38 }),
  said(GONE.username, 'Found the corner. It has a robin in it.', { day: 30 }),
  said(GONE.username, 'Moving to another town. Thank you for the corner.', { day: 13 }),
];

/** All posts but private mentions and short remarks. */
export const draftsOf = (random: Random): Draft[] => [
  ...BIRD_POSTS,
  ...GARDEN_POSTS,
  ...KITCHEN_POSTS,
  ...STREET_POSTS,
  ...CULTURE_POSTS,
  ...GONE_POSTS,
  ...seriesPosts(random),
  ...LATE_POSTS,
];
