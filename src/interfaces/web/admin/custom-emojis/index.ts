import { optionsOf } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { AdminCustomEmoji, AdminEmojiCategory } from '#mastodon/schemas/index.ts';
import { rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { recordList, type RecordTable } from '../record-list.ts';
import { emojiActs } from './acts.ts';
import { emojiForms, EMOJIS } from './form.ts';

const STATES = [
  { value: '', label: 'All' },
  { value: 'enabled', label: 'Enabled' },
  { value: 'disabled', label: 'Disabled' },
] as const;

/** `/admin/custom_emojis`: `?shortcode=`, `?category=` and `?status=` filter. */
const emojisPage = consolePage({
  path: EMOJIS,
  permission: 'manage_custom_emojis',
  show: async (request) => {
    const { api, query } = request;
    const filter = filterIn(query);
    const [found, { entity: categories }] = await Promise.all([
      api('GET v1/admin/custom_emojis', { query: { ...filter, ...placeIn(query) } }),
      api('GET v1/admin/custom_emojis/categories'),
    ]);
    const isFiltered = Object.values(filter).some((value) => value !== '');
    return {
      title: 'Custom emojis',
      actions: buttonLink(`${EMOJIS}/new`, 'Upload an emoji', { icon: 'upload' }),
      body: html`${filterBar(filter, categories)}
      ${recordList(request, found, isFiltered ? { ...LISTED, empty: NONE_MEETS } : LISTED)}`,
    };
  },
});

/** Ignores what no filter has. */
function filterIn(query: URLSearchParams) {
  return {
    shortcode: (query.get('shortcode') ?? '').slice(0, 200),
    category: (query.get('category') ?? '').slice(0, 100),
    status: STATES.find(({ value }) => value === query.get('status'))?.value ?? '',
  };
}

const filterBar = (
  { shortcode, category, status }: ReturnType<typeof filterIn>,
  categories: readonly AdminEmojiCategory[],
): Html =>
  html`<form class="box filter-bar" action="${EMOJIS}" role="search" aria-label="Custom emojis">
    <p>
      <label for="shortcode">Shortcode</label>
      <input
        type="search"
        id="shortcode"
        name="shortcode"
        value="${shortcode}"
        maxlength="200"
        autocomplete="off"
      />
    </p>
    <p>
      <label for="category">Category</label>
      <select id="category" name="category">
        ${optionsOf([{ value: '', label: 'All' }, ...categories.flatMap(categoryChoice)], category)}
      </select>
    </p>
    <p>
      <label for="status">State</label>
      <select id="status" name="status">
        ${optionsOf(STATES, status)}
      </select>
    </p>
    <p class="buttons"><button class="plain">Filter</button></p>
  </form>`;

const categoryChoice = ({ category, emojis_count }: AdminEmojiCategory) =>
  category === null ? [] : [{ value: category, label: `${category} (${emojis_count})` }];

const LISTED: RecordTable<AdminCustomEmoji> = {
  columns: ['Shortcode', 'Picture', 'Category', 'State', 'Actions'],
  cells: ({ id, shortcode, url, category, visible_in_picker, disabled }) => [
    html`<bdi>:${shortcode}:</bdi>`,
    html`<img class="emoji-picture" src="${url}" alt="" width="32" height="32" loading="lazy" />`,
    category,
    html`${disabled ? stateBadge('Disabled', 'bad') : stateBadge('Enabled', 'good')}
    ${!visible_in_picker && stateBadge('Unlisted')}`,
    rowLinks(shortcode, [
      [`${EMOJIS}/${id}/edit`, 'Edit'],
      disabled ? [`${EMOJIS}/${id}/enable`, 'Enable'] : [`${EMOJIS}/${id}/disable`, 'Disable'],
      [`${EMOJIS}/${id}/delete`, 'Delete'],
    ]),
  ],
  caption: 'Custom emojis, the newest first',
  empty: { icon: 'smile', text: 'There are no custom emojis yet.' },
};
const NONE_MEETS = { icon: 'smile', text: 'No emoji meets these filters.' } as const;

/** The custom emojis of this server. */
export const adminCustomEmojiPages: readonly WebPage[] = [emojisPage, ...emojiForms, ...emojiActs];
