import { showCollection } from '#queries/collections/index.ts';
import { html } from '../design/html.ts';
import { byline, nameLink } from '../entities/byline.ts';
import { languageOf } from '../entities/texts.ts';
import { strangersView } from '../entities/view.ts';
import { callEndpoint } from '../page/call-endpoint.ts';
import { previewOf } from './meta.ts';
import type { PageRequest, PageResponse } from './page-request.ts';
import { isHidden } from './profile.ts';

/** `GET /collections/:id`: a collection of recommended accounts, at its address in the API. */
export async function showCollectionPage(request: PageRequest): Promise<PageResponse> {
  const { ctx, params } = request;
  const asked = { params: { id: params['id'] ?? '' } };
  const [site, { entity }] = await Promise.all([request.site(), callEndpoint(ctx, showCollection, asked)]);
  const { collection, accounts } = entity;
  if (!collection.local) return { redirect: collection.url ?? collection.uri };
  const known = new Map(accounts.map((account) => [account.id, account]));
  const owner = known.get(collection.account_id);
  const people = collection.items.flatMap(({ account_id }) => known.get(account_id ?? '') ?? []);
  const { name, description, language, tag, url, uri } = collection;
  const list = html`<ul class="people">
    ${people.map((account) => html`<li>${byline(account, strangersView(ctx))}</li> `)}
  </ul>`;
  return {
    title: name,
    hidden: !collection.discoverable || owner === undefined || isHidden(owner),
    head: previewOf({ type: 'website', title: name, description, url: url ?? uri }, site.name),
    body: html`<section class="box" aria-labelledby="name">
      <h1 id="name" dir="auto" ${languageOf(language)}>${name}</h1>
      <p class="quiet">A collection${owner && html` by ${nameLink(owner)}`}</p>
      ${description && html`<p dir="auto" ${languageOf(language)}>${description}</p>`}
      ${tag && html`<p><a href="${tag.url}">#${tag.name}</a></p>`}
      ${
        collection.sensitive
          ? html`<details class="veil">
              <summary>Its owner marked it as sensitive</summary>
              ${list}
            </details>`
          : list
      }
    </section>`,
  };
}
