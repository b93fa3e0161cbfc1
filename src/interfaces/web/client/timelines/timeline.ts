import type { Answer } from '#interfaces/http/own-calls.ts';
import { emptyState } from '#interfaces/web/design/components.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import type { IconName } from '#interfaces/web/design/icons.ts';
import { statusItems } from '#interfaces/web/entities/status.ts';
import type { WebRequest } from '#interfaces/web/page/page.ts';
import { type Offset, offsetIn, olderLink, type Place, placeIn } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { Status } from '#mastodon/schemas/index.ts';

interface TimelineOptions<At> {
  /** Asks for the posts of a page. */
  read: (page: At & { limit: number }) => Promise<Answer<Status[]>>;
  nothing: { icon: IconName; text: string; more?: Part };
  /** The stream that tells of new posts, by its name in the streaming API. */
  stream?: string;
  /** Its endpoint always names a next page, so one that is not full is the last. */
  endless?: true;
}

/** A page of posts: the whole list, and its items alone for the script. */
interface Timeline {
  whole: Html;
  items: Html;
}

/** Posts of a page. */
const POSTS = 20;

/** Reads and renders one page of a timeline, whose pages are by id. */
export const timeline = (request: WebRequest, options: TimelineOptions<Place>): Promise<Timeline> =>
  timelineAt(request, placeIn(request.query), options);

/** Reads and renders one page of a ranked timeline, whose pages are by offset. */
export const rankedTimeline = (request: WebRequest, options: TimelineOptions<Offset>): Promise<Timeline> =>
  timelineAt(request, offsetIn(request.query), options);

async function timelineAt<At extends Place | Offset>(
  request: WebRequest,
  place: At,
  { read, nothing, stream, endless }: TimelineOptions<At>,
): Promise<Timeline> {
  const { entity, next } = await read({ ...place, limit: POSTS });
  const items = statusItems(entity, viewOf(request));
  const newest = entity[0]?.id;
  const isLast = items.length === 0 || (endless === true && items.length < POSTS);
  return {
    items: html`${items}`,
    whole: html`<div
        data-timeline="${request.path}"
        ${stream !== undefined && html`data-stream="${stream}"`}
        data-newest="${newest}"
      >
        ${items.length > 0 ? html`<div class="feed">${items}</div>` : emptyState(isFirst(place) ? nothing : END)}
      </div>
      ${olderLink(request, isLast ? undefined : next)}`,
  };
}

const END = { icon: 'check', text: 'There are no older posts.' } as const;

const isFirst = (place: Place | Offset): boolean => Object.keys(place).length === 0;
