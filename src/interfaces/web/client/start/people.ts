import type { Answer } from '#interfaces/http/own-calls.ts';
import { emptyState } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { handleOf } from '#interfaces/web/entities/addresses.ts';
import { avatarOf, nameOf } from '#interfaces/web/entities/byline.ts';
import { counted, withEmojis } from '#interfaces/web/entities/texts.ts';
import { form } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { type SignedInRequest, type Tried, userPage } from '#interfaces/web/page/page.ts';
import { textsIn } from '#interfaces/web/page/sent-texts.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import { isId } from '#kernel/ids.ts';
import type { Suggestion, Tag } from '#mastodon/schemas/index.ts';
import { afterStep, PEOPLE, stepButtons, stepPage } from './steps.ts';

const SUGGESTED = 20;
const TAGS = 10;
const MAX_TAG = 200;

/** `/start/people`: suggested accounts and popular hashtags, several of which are followed at once. */
export const peopleStep = userPage({
  path: PEOPLE,
  nested: true,
  acts: true,
  show: async (request, tried) => {
    const [suggestions, tags] = await Promise.all([
      request.api('GET v2/suggestions', { query: { limit: SUGGESTED } }),
      request.api('GET v1/trends/tags', { query: { limit: TAGS } }),
    ]);
    return stepPage(request, 'Follow some people', choices(request, suggestions, tags, tried), tried);
  },
  submit: async (request, _fields, _files, nested) => {
    const ids = listIn(nested, 'follow', SUGGESTED).filter(isId);
    const names = listIn(nested, 'tags', TAGS).filter((name) => name.length <= MAX_TAG);
    for (const id of ids) await unlessGone(request.api('POST v1/accounts/:id/follow', { params: { id } }));
    for (const name of names)
      await unlessGone(request.api('POST v1/tags/:name/follow', { params: { name } }));
    const next = afterStep(PEOPLE);
    return { redirect: ids.length + names.length > 0 ? saying(next, 'followed_some') : next };
  },
});

/** Returns the checked values of a field; what no form of this page sends is left out. */
function listIn(nested: JsonObject, name: string, most: number): string[] {
  return textsIn(nested[name]).slice(0, most);
}

/** Leaves out accounts and hashtags that have gone meanwhile. */
async function unlessGone(followed: Promise<unknown>): Promise<void> {
  try {
    await followed;
  } catch (error) {
    if (!isRookeryError(error) || !['not_found', 'gone', 'forbidden'].includes(error.code)) throw error;
  }
}

function choices(
  request: SignedInRequest,
  { entity: suggestions }: Answer<Suggestion[]>,
  { entity: tags }: Answer<Tag[]>,
  tried: Tried | undefined,
): Html {
  const isChosen = (name: string, value: string): boolean =>
    listIn(tried?.nested ?? {}, name, SUGGESTED).includes(value);
  const people = suggestions.map((each) => person(request, each, isChosen('follow', each.account.id)));
  const hashtags = tags.map((tag, index) => hashtag(tag, index, isChosen('tags', tag.name)));
  const content = html`${
    people.length > 0
      ? html`<ul class="pick">
          ${people}
        </ul>`
      : emptyState({
          icon: 'users',
          text: 'There is nobody to suggest yet. Search for people you know by their address, as in @name@server.example.',
        })
  }
  ${
    hashtags.length > 0 &&
    html`<h2>Popular hashtags</h2>
      <ul class="pick">
        ${hashtags}
      </ul>`
  }
  ${stepButtons(PEOPLE, people.length + hashtags.length > 0 ? 'Follow and continue' : 'Continue')}`;
  return html`<p>The posts of those you follow appear in your home.</p>
    ${form(request, content, { action: PEOPLE })}`;
}

const person = ({ ctx }: SignedInRequest, { account }: Suggestion, checked: boolean): Html =>
  html`<li>
    <label>
      <input type="checkbox" name="follow[]" value="${account.id}" ${checked && html`checked`} />
      ${avatarOf(account, ctx.instance, 46)}
      <span class="names"
        >${nameOf(account)} <span class="handle" dir="ltr">${handleOf(account, ctx.instance)}</span></span
      >
    </label>
    ${account.note !== '' && html`<div class="content" dir="auto">${withEmojis(account.note, account.emojis)}</div>`}
  </li>`;

const hashtag = ({ name, history }: Tag, index: number, checked: boolean): Html =>
  html`<li>
    <label for="tag-${index}">
      <input type="checkbox" id="tag-${index}" name="tags[]" value="${name}" ${checked && html`checked`} />
      <span class="names"
        ><strong dir="auto">#${name}</strong>
        <span class="quiet"
          >${counted(Number(history[0]?.accounts ?? 0), 'person', 'people')} today</span
        ></span
      >
    </label>
  </li>`;
