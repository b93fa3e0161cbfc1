import type { Status } from '../../../../mastodon/schemas/index.ts';
import type { EndpointName } from '../../../http/own-calls.ts';
import { feed } from '../../design/components.ts';
import { html, type Html } from '../../design/html.ts';
import type { IconName } from '../../design/icons.ts';
import { statusItems } from '../../entities/status.ts';
import type { WebRequest } from '../../page/page.ts';
import { viewOf } from '../../page/request-view.ts';
import { olderLink, placeIn } from '../paging.ts';

interface TimelineOptions {
  params?: Readonly<Record<string, string>>;
  /** Further parameters of the endpoint. */
  query?: Readonly<Record<string, unknown>>;
  nothing: { icon: IconName; text: string };
  /** The stream that tells of new posts, by its name in the streaming API. */
  stream?: string;
}

/** A page of posts: the whole list, and its items alone for the script. */
interface Timeline {
  whole: Html;
  items: Html;
}

/** Reads and renders one page of a timeline. */
export async function timeline(
  request: WebRequest,
  name: EndpointName,
  { params = {}, query = {}, nothing, stream }: TimelineOptions,
): Promise<Timeline> {
  const { entity, next } = await request.api<Status[]>(name, {
    params,
    query: { ...query, ...placeIn(request.query) },
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
        ${feed(items, nothing)}
      </div>
      ${olderLink(request, entity.length === 0 ? undefined : next)}`,
  };
}
