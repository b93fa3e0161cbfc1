import { type Html, html } from '#interfaces/web/design/html.ts';
import type { WebRequest } from '#interfaces/web/page/page.ts';

/** Renders the field with the recent text; `kind` is kept. */
export const searchForm = (q = '', kind = ''): Html =>
  html`<form action="/search" role="search" class="search-bar" aria-label="Page">
    <input
      type="search"
      name="q"
      value="${q}"
      maxlength="500"
      placeholder="Search or paste an address"
      aria-label="Search for posts, people and hashtags"
      dir="auto"
    />
    ${kind !== '' && html`<input type="hidden" name="type" value="${kind}" />`}
    <button>Search</button>
  </form>`;

/** https://docs.joinmastodon.org/user/network/#search */
const SYNTAX: readonly (readonly [example: string, text: string])[] = [
  ['@alice@example.social', 'A person on any server'],
  ['https://example.social/@alice/1', 'A post or a person by address'],
  ['#rooks', 'A hashtag'],
  ['from:alice', 'Posts by a person; from:me for your own'],
  ['"black bird"', 'Words in this order'],
  ['rook -crow', 'Without a word'],
  ['has:media', 'Also has:image, has:video, has:audio, has:poll, has:link'],
  ['is:reply', 'Also is:sensitive'],
  ['language:en', 'In a language'],
  ['before:2026-01-01', 'Also after: and during:'],
  ['in:library', 'Only your own posts, and those you interacted with'],
];
/** The first lines, which strangers can use as well. */
const FOR_ALL = 3;

/** Renders what can be searched for, while nothing is. */
export const syntaxHint = ({ user }: WebRequest): Html =>
  html`<section class="box" aria-labelledby="syntax">
    <h2 id="syntax">What you can search for</h2>
    <dl class="syntax">
      ${SYNTAX.slice(0, user ? undefined : FOR_ALL).map(
        ([example, text]) =>
          html`<div>
            <dt><code dir="ltr">${example}</code></dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
    ${!user && html`<p class="quiet">Sign in to search for words in posts.</p>`}
  </section>`;
