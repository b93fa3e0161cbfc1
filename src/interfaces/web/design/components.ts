import { type Html, html, type Part } from './html.ts';
import { icon, type IconName } from './icons.ts';

/** A link of a navigation. */
export interface NavLink {
  href: string;
  text: string;
  icon?: IconName;
  /** Shown beside the text, such as a number of unread things. */
  count?: number | undefined;
  /** `danger` for pages about things that cannot be undone. */
  look?: string;
  /** Pages below its address are others. */
  exact?: boolean;
}

/** Renders a text with a heading. */
export const box = (title: string, content: Html): Html =>
  html`<section class="box">
    <h1>${title}</h1>
    ${content}
  </section>`;

/** Renders the heading of a page, with its main actions. */
export const pageHead = (title: Part, actions?: Part): Html =>
  html`<div class="page-head">
    <h1>${title}</h1>
    ${actions && html`<div class="buttons">${actions}</div>`}
  </div>`;

/** Renders the link to the page above, on top of a page. */
export const backLink = (href: string, text: string): Html =>
  html`<p class="back"><a href="${href}">${icon('arrow-left')}${text}</a></p>`;

/** Renders links to the parts of a page; `current` is the path of the shown one. */
export const tabs = (label: string, links: readonly NavLink[], current: string): Html =>
  html`<nav class="tabs" aria-label="${label}">
    ${links.map(({ href, text, count }) => html`<a href="${href}" ${href === current && html`aria-current="page"`}>${text}${countBadge(count)}</a> `)}
  </nav>`;

export const countBadge = (count: number | undefined): Html | false =>
  count !== undefined && count > 0 && html` <span class="badge count">${count > 99 ? '99+' : count}</span>`;

/** Renders a list of things, or says that there are none. */
export const feed = (items: readonly Html[], nothing: { icon: IconName; text: string }): Html =>
  items.length === 0 ? emptyState(nothing) : html`<div class="feed">${items}</div>`;

export const emptyState = ({ icon: name, text, more }: { icon: IconName; text: Part; more?: Part }): Html =>
  html`<div class="box empty">
    ${icon(name)}
    <p>${text}</p>
    ${more}
  </div>`;

/** Renders a link that looks like a button. */
export const buttonLink = (
  href: string,
  label: Part,
  { look, icon: name }: { look?: string; icon?: IconName } = {},
): Html =>
  html`<a class="button${look !== undefined && ` ${look}`}" href="${href}">${name && icon(name)}${label}</a>`;

/** Renders a closed box that opens on a click. */
export const menu = (label: string, face: Part, content: Part): Html =>
  html`<details class="menu">
    <summary class="act" aria-label="${label}">${face}</summary>
    <div>${content}</div>
  </details>`;
