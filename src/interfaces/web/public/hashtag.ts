import { showTag } from '#queries/tags/index.ts';
import { tagTimeline } from '#queries/timelines/index.ts';
import { feed } from '../design/components.ts';
import { html } from '../design/html.ts';
import { statusItems } from '../entities/status.ts';
import { strangersView } from '../entities/view.ts';
import { callEndpoint } from '../page/call-endpoint.ts';
import { feedLink, previewOf } from './meta.ts';
import { pageLinks, pageParametersIn, type PageRequest, type PageResponse } from './page-request.ts';

const NOTHING = { icon: 'hash', text: 'There are no posts with this hashtag yet.' } as const;
/** Posts of a page. */
const POSTS = 20;

/**
 * `GET /tags/:tag`: public posts with a hashtag. Search engines may not index it, because some of the authors
 * may not want that.
 */
export async function showHashtag(request: PageRequest): Promise<PageResponse> {
  const { ctx, params, query } = request;
  const name = params['tag'] ?? '';
  const page = pageParametersIn(query);
  const [site, { entity: tag }, posts] = await Promise.all([
    request.site(),
    callEndpoint(ctx, showTag, { params: { name } }),
    callEndpoint(ctx, tagTimeline, { params: { hashtag: name }, query: { ...page, limit: String(POSTS) } }),
  ]);
  // The timeline has a next page also after a page that is not full.
  const older = posts.entity.length < POSTS ? undefined : posts.next;
  const title = `#${tag.name}`;
  const description = `Public posts with ${title}`;
  return {
    title,
    hidden: true,
    head: html`${previewOf({ type: 'website', title, description, url: tag.url }, site.name)}
    ${feedLink(description, `${tag.url}.rss`)}`,
    body: html`<h1>${title}</h1>
      ${feed(statusItems(posts.entity, strangersView(ctx)), NOTHING)} ${pageLinks(tag.url, query, older)}`,
  };
}
