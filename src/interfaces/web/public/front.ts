import {
  instanceFacts,
  thumbnailUrl,
  titleOf,
  type InstanceFacts,
} from '../../../../queries/instance/index.ts';
import type { Instance } from '../../../kernel/context.ts';
import { html, trusted, type Html } from '../design/html.ts';
import { previewOf } from './meta.ts';
import { byline } from '../entities/byline.ts';
import { counted } from '../entities/texts.ts';
import type { PageResponse, PageRequest } from './page-request.ts';
import { strangersView, type View } from '../entities/view.ts';

/** `GET /`: a description of this server, and the way in. */
export async function showFront({ ctx, site }: PageRequest): Promise<PageResponse> {
  const [facts, { name }] = await Promise.all([instanceFacts(ctx), site()]);
  const { instance } = ctx;
  const { settings } = facts;
  const description = settings.short_description || `A social server on ${instance.domain}.`;
  const image = { url: thumbnailUrl(settings, instance), alt: settings.thumbnail_description };
  return {
    title: name,
    head: previewOf(
      { type: 'website', title: name, description, url: `${instance.origin}/`, image, large: true },
      name,
    ),
    body: html`<section class="box" aria-labelledby="title">
        ${
          settings.thumbnail &&
          html`<p><img src="${image.url}" alt="${image.alt}" width="1200" height="630" /></p>`
        }
        <h1 id="title" dir="auto">${titleOf(settings, instance)}</h1>
        <p dir="auto">${description}</p>
        ${countsOf(facts, instance)}
      </section>
      ${joining(facts, instance)} ${rulesOf(facts)} ${contactOf(facts, strangersView(ctx))}`,
  };
}

/** In limited federation mode the numbers are private, as in the API. */
const countsOf = ({ counts }: InstanceFacts, { limitedFederation }: Instance): Html =>
  limitedFederation
    ? html`<p class="quiet">Profiles and posts are shown to members only.</p>`
    : html`<p class="quiet">
        ${counted(counts.users, 'person', 'people')}, ${counted(counts.activeMonth, 'person', 'people')}
        active within a month, ${counted(counts.statuses, 'post')}.
      </p>`;

/** This server has no web client: users need an app, which asks for the host of the API. */
function joining({ settings }: InstanceFacts, { origin }: Instance): Html {
  return html`<section class="box" aria-labelledby="join">
    <h2 id="join">How to connect</h2>
    <ol>
      <li>
        Get an <a href="https://joinmastodon.org/apps">app for Mastodon</a>, on the phone or in the browser.
      </li>
      <li>When it asks for a server, give it <strong>${new URL(origin).host}</strong>.</li>
      <li>Sign in, or sign up there.</li>
    </ol>
    ${signingUp(settings)}
    <p>Passwords, e-mail addresses, apps: <a href="/settings">your account</a>.</p>
  </section>`;
}

function signingUp({ registrations, registrations_message }: InstanceFacts['settings']): Html {
  switch (registrations) {
    case 'open':
      return html`<p>Everybody may <a href="/auth/sign_up">sign up</a>.</p>`;
    case 'approved':
      return html`<p>
        Everybody may <a href="/auth/sign_up">ask for an account</a>; staff looks at each sign-up first.
      </p>`;
    case 'closed':
      return registrations_message === ''
        ? html`<p>Nobody can sign up now.</p>`
        : html`<div class="content">${trusted(registrations_message)}</div>`;
  }
}

const rulesOf = ({ rules }: InstanceFacts): Html | false =>
  rules.length > 0 &&
  html`<section class="box" aria-labelledby="rules">
    <h2 id="rules">Rules</h2>
    ${ruleList(rules)}
  </section>`;

export const ruleList = (rules: InstanceFacts['rules']): Html =>
  html`<ol>
    ${rules.map(({ text, hint }) => html`<li dir="auto">${text}${hint !== '' && html`<br /><span class="quiet">${hint}</span>`}</li> `)}
  </ol>`;

const contactOf = ({ settings, contact }: InstanceFacts, view: View): Html | false =>
  (contact !== null || settings.contact_email !== '') &&
  html`<section class="box" aria-labelledby="contact">
    <h2 id="contact">Contact</h2>
    ${contact && html`<p>${byline(contact, view)}</p>`} ${mailLink(settings.contact_email)}
  </section>`;

export const mailLink = (address: string): Html | false =>
  address !== '' && html`<p><a href="mailto:${address}">${address}</a></p>`;
