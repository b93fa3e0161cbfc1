import { pageHead } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { usageOf } from '#interfaces/web/entities/tag.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import type { Tag } from '#mastodon/schemas/index.ts';
import { timeline } from './timeline.ts';

/** `/tags/:tag`: the posts with a hashtag, which the user may follow and feature. */
export const hashtagPage = userPage({
  path: '/tags/:tag',
  orPublic: true,
  owns: ({ tag = '' }) => !tag.endsWith('.rss'),
  show: async (request) => {
    const name = request.params.tag;
    const stream = `hashtag&tag=${encodeURIComponent(name)}`;
    const [{ entity: tag }, posts] = await Promise.all([
      request.api('GET v1/tags/:name', { params: { name } }),
      timeline(request, {
        read: (query) => request.api('GET v1/timelines/tag/:hashtag', { params: { hashtag: name }, query }),
        endless: true,
        nothing: { icon: 'hash', text: 'There are no posts with this hashtag yet.' },
        stream,
      }),
    ]);
    if (request.wantsFragment) return { fragment: posts.items };
    const title = `#${tag.name}`;
    return {
      title,
      hidden: true,
      body: html`${pageHead(html`<bdi>${title}</bdi>`, followButton(tag))} ${aboutTag(tag)} ${posts.whole}`,
    };
  },
});

const followButton = ({ name, following = false }: Tag): Html =>
  html`<button
    form="act"
    formaction="/web/v1/tags/${encodeURIComponent(name)}/${following ? 'unfollow' : 'follow'}"
    class="${following && 'plain'}"
  >
    ${following ? 'Unfollow hashtag' : 'Follow hashtag'}
  </button>`;

const aboutTag = (tag: Tag): Html =>
  html`<div class="box tag-usage">
    ${usageOf(tag.history)}
    <div class="buttons">
      <button
        form="act"
        formaction="/web/v1/tags/${encodeURIComponent(tag.name)}/${tag.featuring ? 'unfeature' : 'feature'}"
        class="plain small"
      >
        ${tag.featuring ? 'Do not feature on profile' : 'Feature on profile'}
      </button>
      <a class="button plain small" href="/publish?text=${encodeURIComponent(`#${tag.name} `)}"
        >${icon('pencil')}Post</a
      >
      <a class="button plain small" href="/tags/${encodeURIComponent(tag.name)}.rss">${icon('rss')}RSS</a>
    </div>
  </div>`;
