import { instanceFacts, titleOf, type InstanceFacts } from '../../../../queries/instance/index.ts';
import type { Instance, RequestContext } from '../../../kernel/context.ts';
import { documentWith } from '../design/document.ts';
import { html, type Html, type Part } from '../design/html.ts';
import { pageStylesheet } from '../design/page-stylesheet.ts';

/** The frame around the content of every page. */
export interface Site {
  name: string;
  icon: { href: string; sizes: string } | undefined;
  links: readonly { href: string; text: string }[];
}

export interface Page {
  /** Without the name of the site; plain text. */
  title: string;
  body: Html;
  head?: Part;
  /** Asks search engines not to index it. */
  hidden?: boolean;
}

const ABOUT = { href: '/about', text: 'About' };

/** Returns the frame of a page that needs nothing from the database. */
export const bareSite = ({ domain }: Instance): Site => ({ name: domain, icon: undefined, links: [ABOUT] });

export async function siteOf(ctx: RequestContext): Promise<Site> {
  const facts = await instanceFacts(ctx);
  const { settings, hasTerms } = facts;
  const { instance } = ctx;
  return {
    name: titleOf(settings, instance),
    icon: iconOf(facts, instance),
    links: [
      ABOUT,
      { href: '/privacy-policy', text: 'Privacy policy' },
      ...(hasTerms ? [{ href: '/terms-of-service', text: 'Terms of service' }] : []),
      ...(settings.status_page_url === null ? [] : [{ href: settings.status_page_url, text: 'Status' }]),
      { href: instance.sourceUrl, text: 'Source code' },
    ],
  };
}

/** Pixels of the icon that fits tabs best. */
const ICON = 64;

function iconOf({ settings }: InstanceFacts, { mediaOrigin }: Instance): Site['icon'] {
  const distance = (size: number): number => Math.abs(size - ICON);
  const [best] = settings.icon.toSorted((a, b) => distance(a.size) - distance(b.size));
  return best && { href: `${mediaOrigin}/${best.key}`, sizes: `${best.size}x${best.size}` };
}

/** Returns a whole page: skip link, the name of the site, the content, links about the site. */
export const framed = ({ title, body, head, hidden }: Page, { name, icon, links }: Site): string =>
  documentWith({
    title: title === name ? title : `${title} - ${name}`,
    stylesheet: pageStylesheet,
    head: html`${hidden && html`<meta name="robots" content="noindex, noarchive" />`}
    ${icon && html`<link rel="icon" href="${icon.href}" sizes="${icon.sizes}" />`}${head}`,
    body: html`<a class="skip" href="#content">Skip to content</a>
      <header class="bar"><a href="/">${name}</a></header>
      <main id="content" tabindex="-1">${body}</main>
      <footer class="bar">
        <nav aria-label="About this server">
          ${links.map(({ href, text }) => html`<a href="${href}">${text}</a> `)}
        </nav>
      </footer>`,
  });
