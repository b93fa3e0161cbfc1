import { buttonLink, type NavLink } from '../design/components.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { CONSOLE, isStaff } from './console-nav.ts';
import { navLink } from './nav-link.ts';

/** The visitor of a page, as its frame needs to know. */
export interface Visitor {
  /** Absent for visitors who are not signed in. */
  user?:
    | {
        username: string;
        role: string | null;
        csrf: string;
        /** The local path with the query. */ here: string;
      }
    | undefined;
  path: string;
  /** A suspended or disabled user, for whom all but a few pages are closed. */
  lockedOut?: boolean;
}

/** The links that phones show in the bar at the bottom. */
const PRIMARY: readonly NavLink[] = [
  { href: '/home', text: 'Home', icon: 'house' },
  { href: '/notifications', text: 'Notifications', icon: 'bell' },
  { href: '/publish', text: 'New post', icon: 'pencil' },
  { href: '/explore', text: 'Explore', icon: 'compass' },
];

const SECONDARY: readonly NavLink[] = [
  { href: '/public/local', text: 'Live feeds', icon: 'radio' },
  { href: '/conversations', text: 'Private mentions', icon: 'at-sign' },
  { href: '/announcements', text: 'Announcements', icon: 'newspaper' },
  { href: '/favourites', text: 'Favourites', icon: 'star' },
  { href: '/bookmarks', text: 'Bookmarks', icon: 'bookmark' },
  { href: '/lists', text: 'Lists', icon: 'list' },
  { href: '/followed_tags', text: 'Followed hashtags', icon: 'hash' },
  { href: '/follow_requests', text: 'Follow requests', icon: 'user-plus' },
  { href: '/scheduled', text: 'Scheduled posts', icon: 'calendar' },
  { href: '/filters', text: 'Filters', icon: 'funnel' },
];

/** Renders the navigation of a signed-in user; others have the links of the top bar. */
export function sideNav({ user, path }: Visitor): Html | undefined {
  if (!user) return undefined;
  const own: readonly NavLink[] = [
    { href: `/@${user.username}`, text: 'Your profile', icon: 'user' },
    { href: '/settings', text: 'Settings', icon: 'settings' },
    ...(isStaff(user.role) ? [{ href: CONSOLE, text: 'Console', icon: 'gauge' } as const] : []),
  ];
  return html`<nav class="sidenav" aria-label="Main">
    <ul class="primary">
      ${PRIMARY.map((each) => navLink(each, path))}
      <li class="phone">
        <a href="#more">${icon('menu')}<span>More</span></a>
      </li>
    </ul>
    <div class="secondary" id="more">
      <ul>
        ${[...SECONDARY, ...own].map((each) => navLink(each, path))}
        <li>
          <button form="act" formaction="/auth/sign_out">${icon('log-out')}<span>Sign out</span></button>
        </li>
        <li class="phone">
          <a href="#content">${icon('x')}<span>Close</span></a>
        </li>
      </ul>
      ${buttonLink('/publish', 'New post', { icon: 'pencil', look: 'wide' })}
    </div>
  </nav>`;
}
