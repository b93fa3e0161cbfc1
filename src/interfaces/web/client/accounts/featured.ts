import { emptyState } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { profilePath } from '#interfaces/web/entities/addresses.ts';
import { personItem, personList } from '#interfaces/web/entities/person.ts';
import { counted, languageOf } from '#interfaces/web/entities/texts.ts';
import { userPage } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { Account, Collection, FeaturedTag } from '#mastodon/schemas/index.ts';
import { accountAt } from './account.ts';
import { profileWith } from './profile-frame.ts';

/** `/@:name/featured`: the hashtags, accounts and collections that an account recommends. */
export const featuredPage = userPage({
  path: '/@:name/featured',
  orPublic: true,
  show: async (request) => {
    const account = await accountAt(request);
    return profileWith(request, account, { path: '/featured', title: 'Featured' }, async () => {
      const params = { id: account.id };
      const [tags, endorsed, { entity }] = await Promise.all([
        request.api('GET v1/accounts/:id/featured_tags', { params }),
        request.api('GET v1/accounts/:id/endorsements', { params }),
        request.api('GET v1/accounts/:account_id/collections', { params: { account_id: account.id } }),
      ]);
      const view = viewOf(request);
      const people = endorsed.entity.map((each) => personItem(each, view, { note: true }));
      const parts = [
        tags.entity.length > 0 && section('Hashtags', tagList(account, tags.entity)),
        people.length > 0 && section('Accounts', personList(people, NOTHING)),
        entity.collections.length > 0 && section('Collections', collectionList(entity.collections)),
      ];
      return parts.some(Boolean) ? html`${parts}` : emptyState(NOTHING);
    });
  },
});

const NOTHING = { icon: 'star', text: 'This account features nothing yet.' } as const;

const section = (title: string, content: Html): Html =>
  html`<section aria-label="${title}">
    <h2 class="list-head">${title}</h2>
    ${content}
  </section>`;

const tagList = (account: Account, tags: readonly FeaturedTag[]): Html =>
  html`<ul class="feed">
    ${tags.map(
      ({ name, statuses_count }) =>
        html`<li>
          <a href="${profilePath(account)}/tagged/${encodeURIComponent(name)}">${icon('hash')}${name}</a>
          <span class="quiet">${counted(Number(statuses_count), 'post')}</span>
        </li>`,
    )}
  </ul>`;

const collectionList = (collections: readonly Collection[]): Html =>
  html`<ul class="feed">
    ${collections.map(
      ({ id, name, description, language, item_count }) =>
        html`<li>
          <a href="/collections/${id}" dir="auto" ${languageOf(language)}>${name}</a>
          <span class="quiet">${counted(item_count, 'account')}</span>
          ${description !== '' && html`<p dir="auto" ${languageOf(language)}>${description}</p>`}
        </li>`,
    )}
  </ul>`;
