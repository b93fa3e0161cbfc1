import type { Viewer } from '#kernel/context.ts';
import { mayDo } from '#mastodon/permissions.ts';
import type { NavLink } from '../design/components.ts';
import { type Html, html } from '../design/html.ts';
import { icon, type IconName } from '../design/icons.ts';
import { navLink } from './nav-link.ts';

/** A page of the settings, as the navigation and the overview list it. */
interface Topic extends NavLink {
  icon: IconName;
  /** Said in the overview. */
  about: string;
}

interface Group {
  title: string;
  topics: readonly Topic[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'You',
    topics: [
      {
        href: '/settings/profile',
        text: 'Profile',
        icon: 'user-pen',
        about: 'Picture, name, biography, and who finds you',
      },
      {
        href: '/settings/preferences',
        text: 'Preferences',
        icon: 'sliders-horizontal',
        about: 'How you post and read',
      },
      {
        href: '/start',
        text: 'First steps',
        icon: 'sparkles',
        about: 'Name and picture, people to follow, a first post',
        exact: true,
      },
    ],
  },
  {
    title: 'Account',
    topics: [
      {
        href: '/settings/security',
        text: 'Security',
        icon: 'key-round',
        about: 'Password, e-mail address, signed-in browsers',
      },
      {
        href: '/settings/two-factor',
        text: 'Two-factor sign-in',
        icon: 'shield-check',
        about: 'A code from your phone besides the password',
      },
      {
        href: '/settings/applications',
        text: 'Apps',
        icon: 'smartphone',
        about: 'Which apps may use your account, and what they may do',
      },
    ],
  },
  {
    title: 'Your data',
    topics: [
      {
        href: '/settings/export',
        text: 'Export',
        icon: 'download',
        about: 'Take along your posts, follows, blocks, mutes and lists',
      },
      {
        href: '/settings/import',
        text: 'Import',
        icon: 'upload',
        about: 'Bring along what you exported on another server',
      },
    ],
  },
  {
    title: 'Moving',
    topics: [
      {
        href: '/settings/aliases',
        text: 'Moving here',
        icon: 'user-plus',
        about: 'Name the accounts from which you move to this one',
      },
      {
        href: '/settings/migration',
        text: 'Moving away',
        icon: 'truck',
        about: 'Lead your followers, or visitors alone, to another account',
      },
    ],
  },
  {
    title: 'Moderation',
    topics: [
      {
        href: '/settings/strikes',
        text: 'Strikes',
        icon: 'gavel',
        about: 'What moderators did to your account, and your appeals',
      },
    ],
  },
];

const SERVER: Group = {
  title: 'Server',
  topics: [
    {
      href: '/start/server',
      text: 'Set up the server',
      icon: 'server',
      about: 'Name, rules, sign-ups, mail and backups',
    },
  ],
};

const DANGER: Group = {
  title: 'Danger',
  topics: [
    {
      href: '/settings/delete',
      text: 'Delete account',
      icon: 'trash-2',
      about: 'With everything in it, for good',
      look: 'danger',
    },
  ],
};

const HOME: NavLink = { href: '/home', text: 'Back to home', icon: 'arrow-left' };

/** Returns the pages of the settings that a user may open. */
const groupsFor = ({ role }: Viewer): readonly Group[] => [
  ...GROUPS,
  ...(mayDo(role, 'manage_settings') ? [SERVER] : []),
  DANGER,
];

/** Renders the navigation beside the settings. Phones have the overview instead. */
export const settingsNav = (user: Viewer, path: string): Html =>
  html`<nav class="sidenav settings-nav" aria-label="Settings">
    <ul>
      ${navLink(HOME, path)}
    </ul>
    ${groupsFor(user).map(
      ({ title, topics }) =>
        html`<p class="nav-title">${title}</p>
          <ul aria-label="${title}">
            ${topics.map((topic) => navLink(topic, path))}
          </ul>`,
    )}
  </nav>`;

/** Renders the same pages with a line about each. */
export const settingsOverview = (user: Viewer): Html[] =>
  groupsFor(user).map(
    ({ title, topics }) =>
      html`<section class="topics">
        <h2>${title}</h2>
        <ul class="box">
          ${topics.map(topicLine)}
        </ul>
      </section>`,
  );

const topicLine = ({ href, text, about, icon: name, look }: Topic): Html =>
  html`<li>
    <a href="${href}" ${look !== undefined && html`class="${look}"`}
      >${icon(name)}<span><strong>${text}</strong><span class="quiet">${about}</span></span
      >${icon('chevron-right')}</a
    >
  </li>`;
