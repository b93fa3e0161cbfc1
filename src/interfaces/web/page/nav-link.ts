import { countBadge, type NavLink } from '../design/components.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';

/** Renders a link of a navigation as an item of its list; `path` is that of the shown page. */
export const navLink = (
  { href, text, icon: name, count, look, exact = false }: NavLink,
  path: string,
): Html =>
  html`<li>
    <a
      href="${href}"
      ${look !== undefined && html`class="${look}"`}
      ${isAt(path, href, exact) && html`aria-current="page"`}
      >${name && icon(name)}<span>${text}</span>${countBadge(count)}</a
    >
  </li>`;

const isAt = (path: string, href: string, exact: boolean): boolean =>
  path === href || (!exact && path.startsWith(`${href}/`));
