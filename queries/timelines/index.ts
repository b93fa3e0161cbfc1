import { homeTimeline } from './home.ts';
import { listTimeline } from './list.ts';
import { publicTimeline, tagTimeline } from './public.ts';

export const timelineQueries = [homeTimeline, listTimeline, publicTimeline, tagTimeline];
