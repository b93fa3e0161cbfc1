import { homeTimeline } from './home.ts';
import { listTimeline } from './list.ts';
import { linkTimeline, publicTimeline, tagTimeline } from './public.ts';

export { appearances, type Appearance, type OpenTimeline, type ToldStatus } from './audience.ts';

export const timelineQueries = [homeTimeline, linkTimeline, listTimeline, publicTimeline, tagTimeline];
