import type { Instance } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Tag } from '#mastodon/schemas/index.ts';
import { type InstanceFacts, instanceFacts, thumbnailUrl, titleOf } from '#queries/instance/index.ts';
import { publicTimeline } from '#queries/timelines/index.ts';
import { trendingTags } from '#queries/trends/index.ts';
import { buttonLink, feed } from '../design/components.ts';
import { FRONT_PICTURE } from '../design/front-picture.ts';
import { type Html, html, trusted } from '../design/html.ts';
import { statusItems } from '../entities/status.ts';
import { counted } from '../entities/texts.ts';
import { strangersView } from '../entities/view.ts';
import { callEndpoint } from '../page/call-endpoint.ts';
import { appsBox } from './app-list.ts';
import { previewOf } from './meta.ts';
import type { PageRequest, PageResponse } from './page-request.ts';
import { contactOf, figuresOf, foldedBox, ruleList, titledBox } from './server-parts.ts';

const POSTS = 10;
const TAGS = 6;
const NO_POSTS = { icon: 'message-circle', text: 'Nobody here has posted in public yet.' } as const;

/** `GET /`: this server, the way in, and the newest posts. */
export async function showFront({ ctx, site }: PageRequest): Promise<PageResponse> {
  const { instance } = ctx;
  const local = { local: 'true', limit: String(POSTS) };
  const [facts, { name }, posts, tags] = await Promise.all([
    instanceFacts(ctx),
    site(),
    unlessClosed(callEndpoint(ctx, publicTimeline, { query: local })),
    unlessClosed(callEndpoint(ctx, trendingTags, { query: { limit: String(TAGS) } })),
  ]);
  const { settings, rules } = facts;
  const description = settings.short_description || `A social server on ${instance.domain}.`;
  const image = { url: thumbnailUrl(settings, instance), alt: settings.thumbnail_description };
  const view = strangersView(ctx);
  return {
    title: name,
    wide: true,
    head: previewOf(
      { type: 'website', title: name, description, url: `${instance.origin}/`, image, large: true },
      name,
    ),
    body: html`${hero(facts, instance, description)}
      <div class="front">
        ${
          posts &&
          html`<section aria-labelledby="newest">
            <h2 id="newest">Newest posts</h2>
            ${feed(statusItems(posts, view), NO_POSTS)}
            ${posts.length === POSTS && html`<p>${buttonLink('/public/local', 'More posts', { look: 'plain' })}</p>`}
          </section>`
        }
        <div class="beside">
          ${titledBox('trends', 'Trending hashtags', tags !== undefined && tags.length > 0 && tagList(tags))}
          ${foldedBox('Rules', rules.length > 0 && ruleList(rules))} ${appsBox(facts, instance)}
          ${titledBox('contact', 'Contact', contactOf(facts, view))}
          <p class="quiet"><a href="/about">More about ${titleOf(settings, instance)}</a></p>
        </div>
      </div>`,
  };
}

/** Returns a list; undefined where the API shows it to members only. */
async function unlessClosed<Entity>(asked: Promise<{ entity: Entity }>): Promise<Entity | undefined> {
  try {
    return (await asked).entity;
  } catch (error) {
    if (isRookeryError(error) && error.code === 'unauthorized') return undefined;
    throw error;
  }
}

const hero = (facts: InstanceFacts, instance: Instance, description: string): Html => {
  const { settings } = facts;
  return html`<section class="box hero" aria-labelledby="title">
    ${
      settings.thumbnail
        ? html`<img
            class="hero-picture"
            src="${thumbnailUrl(settings, instance)}"
            alt="${settings.thumbnail_description}"
            width="1200"
            height="630"
          />`
        : FRONT_PICTURE
    }
    <div class="hero-text">
      <h1 id="title" dir="auto">${titleOf(settings, instance)}</h1>
      <p class="lead" dir="auto">${description}</p>
      ${wayIn(settings)} ${figuresOf(facts, instance)}
    </div>
  </section>`;
};

function wayIn({ registrations, registrations_message }: InstanceFacts['settings']): Html {
  const buttons = (first: Html | false): Html =>
    html`<p class="buttons">
      ${first} ${buttonLink('/auth/sign_in', 'Sign in', first ? { look: 'plain' } : {})}
    </p>`;
  switch (registrations) {
    case 'open':
      return buttons(buttonLink('/auth/sign_up', 'Sign up'));
    case 'approved':
      return html`${buttons(buttonLink('/auth/sign_up', 'Ask for an account'))}
        <p class="quiet">The moderators review each sign-up.</p>`;
    case 'closed':
      return html`${buttons(false)}
      ${
        registrations_message === ''
          ? html`<p class="quiet">Sign-ups are closed at the moment.</p>`
          : html`<div class="content">${trusted(registrations_message)}</div>`
      }`;
  }
}

const tagList = (tags: readonly Tag[]): Html =>
  html`<ul class="trends">
    ${tags.map(
      ({ name, url, history }) =>
        html`<li>
          <a href="${url}" dir="auto">#${name}</a>
          <span class="quiet">${counted(peopleOf(history), 'person', 'people')}</span>
        </li> `,
    )}
  </ul>`;

/** Counts those of the last two days, as Mastodon does. */
const peopleOf = (history: Tag['history']): number =>
  history.slice(0, 2).reduce((sum, { accounts }) => sum + Number(accounts), 0);
