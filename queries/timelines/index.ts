import { homeTimeline } from './home.ts';
import { listTimeline } from './list.ts';
import { linkTimeline, publicTimeline, tagTimeline } from './public.ts';

export { clearedPosts } from './cleared.ts';
export { appearances, type Appearance } from './audience.ts';
export type { OpenTimeline } from './open-timelines.ts';
export { publicTimeline, tagTimeline } from './public.ts';
export { selectByWindows, unprepared, windowedStatement } from './windows.ts';

export const timelineQueries = [homeTimeline, linkTimeline, listTimeline, publicTimeline, tagTimeline];
