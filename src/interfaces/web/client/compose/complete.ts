import { type Html, html } from '#interfaces/web/design/html.ts';
import { avatarOf, nameOf } from '#interfaces/web/entities/byline.ts';
import { type SignedInRequest, userPage } from '#interfaces/web/page/page.ts';

/** Suggestions at once. */
const MOST = 5;
const MAX_TYPED = 100;

/** `/web/complete?q=@al`: completions of `@name`, `#tag` or `:emoji:`, for the script. */
export const completions = userPage({
  path: '/web/complete',
  show: async (request) => {
    const typed = (request.query.get('q') ?? '').slice(0, MAX_TYPED);
    return { fragment: html`${await optionsFor(request, typed.charAt(0), typed.slice(1))}` };
  },
});

async function optionsFor(request: SignedInRequest, sign: string, typed: string): Promise<Html[]> {
  if (typed === '') return [];
  if (sign === ':') return emojis(request, typed);
  if (sign === '#') return hashtags(request, typed);
  return sign === '@' ? people(request, typed) : [];
}

async function people({ api, ctx }: SignedInRequest, typed: string): Promise<Html[]> {
  const { entity } = await api('GET v1/accounts/search', { query: { q: typed, limit: MOST } });
  return entity.map((account) =>
    option(
      `@${account.acct}`,
      html`${avatarOf(account, ctx.instance, 24)} ${nameOf(account)}
        <span class="handle" dir="ltr">@${account.acct}</span>`,
    ),
  );
}

async function hashtags({ api }: SignedInRequest, typed: string): Promise<Html[]> {
  const query = { q: typed, type: 'hashtags', limit: MOST } as const;
  const { entity } = await api('GET v2/search', { query });
  return entity.hashtags.map(({ name }) => option(`#${name}`, html`#${name}`));
}

async function emojis({ api }: SignedInRequest, typed: string): Promise<Html[]> {
  const { entity } = await api('GET v1/custom_emojis');
  const start = typed.toLowerCase();
  return entity
    .filter(({ shortcode }) => shortcode.toLowerCase().startsWith(start))
    .slice(0, MOST)
    .map(({ shortcode, static_url }) =>
      option(`:${shortcode}:`, html`<img class="emoji" src="${static_url}" alt="" /> :${shortcode}:`),
    );
}

const option = (text: string, content: Html): Html =>
  html`<li role="option" data-text="${text}" aria-selected="false">${content}</li>`;
