import { homeTimeline } from './home.ts';
import { listTimeline } from './list.ts';
import { linkTimeline, publicTimeline, tagTimeline } from './public.ts';

export const timelineQueries = [homeTimeline, linkTimeline, listTimeline, publicTimeline, tagTimeline];
