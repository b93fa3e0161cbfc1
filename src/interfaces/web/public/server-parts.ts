import type { Instance } from '#kernel/context.ts';
import type { InstanceFacts } from '#queries/instance/index.ts';
import { type Html, html, type Part } from '../design/html.ts';
import { byline } from '../entities/byline.ts';
import { compactNumber } from '../entities/texts.ts';
import type { View } from '../entities/view.ts';

/** Renders the three figures of this server. In limited federation mode they are private, as in the API. */
export function figuresOf({ counts }: InstanceFacts, { limitedFederation }: Instance): Html {
  if (limitedFederation) return html`<p class="quiet">Profiles and posts are shown to members only.</p>`;
  const figure = (count: number, one: string, several: string): Html =>
    html`<div>
      <dt>${count === 1 ? one : several}</dt>
      <dd>${compactNumber(count)}</dd>
    </div>`;
  return html`<dl class="figures">
    ${figure(counts.users, 'person', 'people')}
    ${figure(counts.activeMonth, 'active this month', 'active this month')}
    ${figure(counts.statuses, 'post', 'posts')}
  </dl>`;
}

export const ruleList = (rules: InstanceFacts['rules']): Html =>
  html`<ol class="rules">
    ${rules.map(({ text, hint }) => html`<li dir="auto">${text}${hint !== '' && html`<br /><span class="quiet">${hint}</span>`}</li> `)}
  </ol>`;

/** Renders whom to ask; false without a contact. */
export const contactOf = ({ settings, contact }: InstanceFacts, view: View): Html | false =>
  (contact !== null || settings.contact_email !== '') &&
  html`${contact && html`<p>${byline(contact, view)}</p>`} ${mailLink(settings.contact_email)}`;

const mailLink = (address: string): Html | false =>
  address !== '' && html`<p><a href="mailto:${address}">${address}</a></p>`;

/** Renders a box with a title; false without content. */
export const titledBox = (id: string, title: string, content: Part): Html | false =>
  content !== false &&
  html`<section class="box" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`;

/** Renders a box that opens on a click. */
export const foldedBox = (title: string, content: Part): Html | false =>
  content !== false &&
  html`<details class="box fold">
    <summary><h2>${title}</h2></summary>
    ${content}
  </details>`;
