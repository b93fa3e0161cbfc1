import { action } from '#interfaces/web/page/action.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { hashtagPage } from './hashtag.ts';
import { homePage } from './home.ts';
import { markedPages } from './marked.ts';
import { publicPages } from './public.ts';

/** Lists of posts. */
export const timelinePages: readonly WebPage[] = [
  homePage,
  ...publicPages,
  ...markedPages,
  hashtagPage,
  action('POST v1/tags/:name/follow'),
  action('POST v1/tags/:name/unfollow'),
  action('POST v1/tags/:name/feature'),
  action('POST v1/tags/:name/unfeature'),
];
