import type { EndpointName } from '#interfaces/http/own-calls.ts';
import { emptyState } from '#interfaces/web/design/components.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import type { IconName } from '#interfaces/web/design/icons.ts';
import { statusItems } from '#interfaces/web/entities/status.ts';
import type { WebRequest } from '#interfaces/web/page/page.ts';
import { offsetIn, olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { Status } from '#mastodon/schemas/index.ts';

interface TimelineOptions {
  params?: Readonly<Record<string, string>>;
  /** Further parameters of the endpoint. */
  query?: Readonly<Record<string, unknown>>;
  nothing: { icon: IconName; text: string; more?: Part };
  /** The stream that tells of new posts, by its name in the streaming API. */
  stream?: string;
  /** Its pages are by offset, not by id. */
  byOffset?: boolean;
}

/** A page of posts: the whole list, and its items alone for the script. */
interface Timeline {
  whole: Html;
  items: Html;
}

/** Posts of a page. */
const POSTS = 20;

/** Reads and renders one page of a timeline. */
export async function timeline(
  request: WebRequest,
  name: EndpointName,
  { params = {}, query = {}, nothing, stream, byOffset = false }: TimelineOptions,
): Promise<Timeline> {
  const place = byOffset ? offsetIn(request.query) : placeIn(request.query);
  const { entity, next } = await request.api<Status[]>(name, {
    params,
    query: { ...query, ...place, limit: POSTS },
  });
  const items = statusItems(entity, viewOf(request));
  const newest = entity[0]?.id;
  return {
    items: html`${items}`,
    whole: html`<div
        data-timeline="${request.path}"
        ${stream !== undefined && html`data-stream="${stream}"`}
        data-newest="${newest}"
      >
        ${items.length > 0 ? html`<div class="feed">${items}</div>` : emptyState(isFirst(place) ? nothing : END)}
      </div>
      ${olderLink(request, isLast(name, entity.length) ? undefined : next)}`,
  };
}

const END = { icon: 'check', text: 'There are no older posts.' } as const;

const isFirst = (place: Readonly<Record<string, string>>): boolean => Object.keys(place).length === 0;

/** Timelines always name a next page. A page that is not full is the last one. */
const isLast = (name: EndpointName, posts: number): boolean =>
  posts === 0 || (name.includes(' v1/timelines/') && posts < POSTS);
