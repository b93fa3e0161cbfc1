import { homeTimeline } from './home.ts';
import { publicTimeline, tagTimeline } from './public.ts';

export const timelineQueries = [homeTimeline, publicTimeline, tagTimeline];
