import { emptyState, pageHead } from '#interfaces/web/design/components.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { button, form, problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { type SignedInRequest, type Tried, userPage } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import { MAX_FEATURED_TAGS } from '#mastodon/limits.ts';
import type { FeaturedTag, Tag } from '#mastodon/schemas/index.ts';

const FOLLOWED_TAGS = '/followed_tags';
/** UTF-16 units; more than the longest hashtag. */
const MAX_NAME = 600;

/** `/followed_tags`: hashtags that the user follows, and those on the user's profile. */
export const followedTagsPage = userPage({
  path: FOLLOWED_TAGS,
  acts: true,
  show: async (request, tried) => {
    const [{ entity: tags, next }, { entity: featured }] = await Promise.all([
      request.api('GET v1/followed_tags', { query: placeIn(request.query) }),
      request.api('GET v1/featured_tags'),
    ]);
    const full = featured.length >= MAX_FEATURED_TAGS;
    return {
      title: 'Followed hashtags',
      hidden: true,
      body: html`${pageHead('Followed hashtags')} ${noticeBox(request)}${problemBox(tried)}
        <section class="box">${nameForm(request, 'follow', 'Follow', tried)}</section>
        ${
          tags.length === 0
            ? emptyState({
                icon: 'hash',
                text: 'You follow no hashtags yet. Posts with a hashtag that you follow appear in your home.',
              })
            : html`<ul class="feed">
                ${tags.map((tag) => followedRow(tag, full))}
              </ul>`
        }
        ${olderLink(request, tags.length === 0 ? undefined : next)} ${featuredBox(request, featured, tried)}`,
    };
  },
  submit: async ({ api }, { name = '', act }) => {
    const tag = name.trim().replace(/^[#＃]/, '');
    const featuring = act === 'feature';
    try {
      await api(featuring ? 'POST v1/tags/:name/feature' : 'POST v1/tags/:name/follow', {
        params: { name: tag },
      });
    } catch (error) {
      // Text that no hashtag can be is refused as an unknown address.
      if (isRookeryError(error) && error.code === 'not_found') {
        throw invalid('A hashtag has letters, digits and underscores, and not only digits.');
      }
      throw error;
    }
    return { redirect: saying(FOLLOWED_TAGS, featuring ? 'tag_featured' : 'tag_followed') };
  },
});

function nameForm(
  request: SignedInRequest,
  act: 'follow' | 'feature',
  label: string,
  tried: Tried | undefined,
): Html {
  const value = tried?.fields['act'] === act ? tried.fields['name'] : undefined;
  return form(
    request,
    html`${textField(
      {
        name: 'name',
        id: `${act}-name`,
        label: `${label} a hashtag`,
        autocomplete: 'off',
        value: value ?? '',
      },
      MAX_NAME,
    )}
    ${button(label)}`,
    { hidden: { act } },
  );
}

function followedRow({ name, history, featuring = false }: Tag, full: boolean): Html {
  const uses = history.reduce((sum, day) => sum + Number(day.uses), 0);
  return html`<li class="item">
    <div class="grow">${tagLink(name)} <span class="quiet">${counted(uses, 'post')} this week</span></div>
    <div class="buttons">
      ${(featuring || !full) && tagButton(name, featuring ? 'unfeature' : 'feature')}
      ${tagButton(name, 'unfollow')}
    </div>
  </li>`;
}

const LABELS = { unfeature: 'Don’t feature', feature: 'Feature on profile', unfollow: 'Unfollow' } as const;

const tagLink = (name: string): Html =>
  html`<a class="name" href="/tags/${encodeURIComponent(name)}" dir="auto">#${name}</a>`;

const tagButton = (name: string, act: keyof typeof LABELS): Html =>
  html`<button form="act" formaction="/web/v1/tags/${encodeURIComponent(name)}/${act}" class="plain small">
    <span>${LABELS[act]}<span class="hush"> #${name}</span></span>
  </button>`;

const featuredBox = (
  request: SignedInRequest,
  featured: readonly FeaturedTag[],
  tried: Tried | undefined,
): Html =>
  html`<section class="box">
    <h2>${icon('pin')} On your profile: ${featured.length} of ${MAX_FEATURED_TAGS}</h2>
    <p class="quiet">Visitors of your profile find your posts with these hashtags.</p>
    <ul class="people">
      ${featured.map(
        ({ name, statuses_count }) =>
          html`<li class="item-head">
            <span
              >${tagLink(name)} <span class="quiet">${counted(Number(statuses_count), 'post')}</span></span
            >
            ${tagButton(name, 'unfeature')}
          </li>`,
      )}
    </ul>
    ${featured.length < MAX_FEATURED_TAGS && nameForm(request, 'feature', 'Feature', tried)}
  </section>`;
