import { mayDo, type Permission } from '../../../mastodon/permissions.ts';
import { icon, type IconName } from '../design/icons.ts';
import { html, type Html } from '../design/html.ts';
import { navLink } from './nav-link.ts';

/** A page of the console, as its navigation lists it. */
export interface ConsoleTopic {
  href: string;
  text: string;
  icon: IconName;
  permission: Permission;
  /** Pages below its address are others. */
  exact?: boolean;
}

interface Group {
  title: string;
  topics: readonly ConsoleTopic[];
}

export const CONSOLE = '/admin';

/** Every page that the navigation lists, by the people who need it. */
export const GROUPS: readonly Group[] = [
  {
    title: 'Moderation',
    topics: [{ href: CONSOLE, text: 'Dashboard', icon: 'gauge', permission: 'view_dashboard', exact: true }],
  },
  { title: 'Audit', topics: [] },
  { title: 'Server', topics: [] },
  {
    title: 'Operation',
    topics: [
      { href: `${CONSOLE}/alerts`, text: 'Alerts', icon: 'siren', permission: 'view_devops' },
      { href: `${CONSOLE}/log`, text: 'Event log', icon: 'list-tree', permission: 'view_devops' },
    ],
  },
];

/** Returns the groups of a role, without the pages that it may not open. */
export const topicsFor = (role: string | null): Group[] =>
  GROUPS.map(({ title, topics }) => ({
    title,
    topics: topics.filter(({ permission }) => mayDo(role, permission)),
  })).filter(({ topics }) => topics.length > 0);

/** Returns true for roles with any page of the console. */
export const isStaff = (role: string | null): boolean => topicsFor(role).length > 0;

/** Renders the navigation of the console: beside the page, or folded above it on phones. */
export const consoleNav = (role: string | null, path: string): Html =>
  html`<nav class="sidenav console-nav" aria-label="Console">
    ${topicsFor(role).map(
      ({ title, topics }) =>
        html`<h2 class="nav-title">${title}</h2>
          <ul>
            ${topics.map((topic) => navLink(topic, path))}
          </ul>`,
    )}
    <ul class="leave">
      ${navLink({ href: '/home', text: 'Leave the console', icon: 'arrow-left' }, path)}
    </ul>
  </nav>`;

/** Renders the same for phones. */
export const foldedNav = (role: string | null, path: string): Html =>
  html`<details class="box fold phone-only console-menu">
    <summary>${icon('menu')}Console</summary>
    <div class="console-topics">
      ${topicsFor(role).map(
        ({ title, topics }) =>
          html`<p class="nav-title">${title}</p>
            <ul>
              ${topics.map((topic) => navLink(topic, path))}
            </ul>`,
      )}
    </div>
  </details>`;
