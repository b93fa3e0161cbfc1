import type { Instance, RequestContext } from '#kernel/context.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';
import { type InstanceFacts, instanceFacts, titleOf } from '#queries/instance/index.ts';
import { script } from '../browser/script.ts';
import { documentWith } from '../design/document.ts';
import { type Html, html, type Part } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { LOGO } from '../design/logo.ts';
import { sideNav, type Visitor } from './navigation.ts';

/** The frame around the content of every page. */
export interface Site {
  name: string;
  icon: { href: string; sizes: string } | undefined;
  links: readonly { href: string; text: string }[];
  /** How visitors may sign up. */
  registrations: InstanceFacts['settings']['registrations'];
  accent: string | null;
}

export interface Page {
  /** Without the name of the site; plain text. */
  title: string;
  body: Html;
  head?: Part;
  /** Asks search engines not to index it. */
  hidden?: boolean;
  /** Its form leads on to another server, which browsers forbid unless the policy allows it. */
  leadsElsewhere?: boolean;
  /** Its content has columns of its own, so it is as wide as the window allows. */
  wide?: boolean;
  /** Takes the place of the search of the web client in the top bar. */
  search?: { action: string; name: string; label: string };
  /** Takes the place of the main navigation on wide screens, for example for the settings. */
  nav?: Html;
}

const ABOUT = { href: '/about', text: 'About' };

/** Returns the frame of a page that needs nothing from the database. */
export const bareSite = ({ domain }: Instance): Site => ({
  name: domain,
  icon: undefined,
  links: [ABOUT],
  registrations: 'closed',
  accent: null,
});

/** Returns the frame of a page; the one that needs nothing from the database where a read model of it is halted. */
export const siteOf = (ctx: Pick<RequestContext, 'db' | 'instance' | 'now'>): Promise<Site> =>
  unlessHalted(
    () => siteByFacts(ctx),
    () => bareSite(ctx.instance),
  );

async function siteByFacts(ctx: Pick<RequestContext, 'db' | 'instance' | 'now'>): Promise<Site> {
  const facts = await instanceFacts(ctx);
  const { settings, hasTerms } = facts;
  const { instance } = ctx;
  return {
    name: titleOf(settings, instance),
    icon: iconOf(settings, instance),
    registrations: settings.registrations,
    accent: settings.accent_color,
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

/** Returns the icon of the server that fits best; undefined for a server without one. */
export function iconOf(
  settings: Pick<InstanceFacts['settings'], 'icon'>,
  { mediaOrigin }: Pick<Instance, 'mediaOrigin'>,
): Site['icon'] {
  const distance = (size: number): number => Math.abs(size - ICON);
  const [best] = settings.icon.toSorted((a, b) => distance(a.size) - distance(b.size));
  return best && { href: `${mediaOrigin}/${best.key}`, sizes: `${best.size}x${best.size}` };
}

/** Returns a whole page: skip link, top bar, navigation, the content, links about the site. */
export function framed(page: Page, site: Site, visitor: Visitor): string {
  const { title, body, head, hidden, wide } = page;
  const own = sideNav(visitor);
  const nav = page.nav ? html`${own && html`<div class="phone-only">${own}</div>`}${page.nav}` : own;
  const shell = ['shell', ...(nav ? ['with-nav'] : []), ...(wide ? ['wide'] : [])].join(' ');
  return documentWith({
    title: title === site.name ? title : `${title} - ${site.name}`,
    kind: visitor.user && 'app',
    accent: site.accent,
    head: html`${hidden && html`<meta name="robots" content="noindex, noarchive" />`}
    ${site.icon && html`<link rel="icon" href="${site.icon.href}" sizes="${site.icon.sizes}" />`}
    ${visitor.user && html`<script type="module" src="${script.path}"></script>`}${head}`,
    body: html`<a class="skip" href="#content">Skip to content</a>
      ${topBar(site, visitor, page.search)}
      <div class="${shell}">
        ${nav}
        <main id="content" tabindex="-1">${body}</main>
      </div>
      <footer class="foot">
        <nav aria-label="About this server">
          ${site.links.map(({ href, text }) => html`<a href="${href}">${text}</a> `)}
        </nav>
      </footer>
      ${actionForm(visitor)}`,
  });
}

const SEARCH: NonNullable<Page['search']> = { action: '/search', name: 'q', label: 'Search' };

const topBar = (site: Site, { user, lockedOut = false }: Visitor, search = SEARCH): Html =>
  html`<header class="topbar">
    <div>
      <a class="brand" href="/">
        ${site.icon ? html`<img src="${site.icon.href}" alt="" width="32" height="32" />` : LOGO}
        <span>${site.name}</span>
      </a>
      ${
        user
          ? html`<form class="search" action="${search.action}" role="search">
              <input
                type="search"
                name="${search.name}"
                maxlength="500"
                placeholder="${search.label}"
                aria-label="${search.label}"
              />
            </form>`
          : !lockedOut && signingIn(site)
      }
    </div>
  </header>`;

const signingIn = ({ registrations }: Site): Html =>
  html`<a class="button plain small wide" href="/explore">${icon('compass')}Explore</a>
    <a class="button plain small" href="/auth/sign_in">Sign in</a>
    ${registrations !== 'closed' && html`<a class="button small" href="/auth/sign_up">Sign up</a>`}`;

/** The name of the form of all buttons that act on one thing: they name it, and the address. */
export const ACTION_FORM = 'act';

const actionForm = ({ user }: Visitor): Html | undefined =>
  user &&
  html`<form id="${ACTION_FORM}" method="post" hidden>
    <input type="hidden" name="csrf_token" value="${user.csrf}" />
    <input type="hidden" name="return_to" value="${user.here}" />
  </form>`;
