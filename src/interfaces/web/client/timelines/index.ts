import type { WebPage } from '../../page/page.ts';
import { homePage } from './home.ts';

/** Lists of posts. */
export const timelinePages: readonly WebPage[] = [homePage];
