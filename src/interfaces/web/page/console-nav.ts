import { mayDo, type Permission } from '#mastodon/permissions.ts';
import { countBadge, type NavLink } from '../design/components.ts';
import { type Html, html } from '../design/html.ts';
import { icon, type IconName } from '../design/icons.ts';
import { navLink } from './nav-link.ts';

/** A page of the console, as its navigation lists it. */
interface ConsoleTopic {
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
    topics: [
      { href: CONSOLE, text: 'Dashboard', icon: 'gauge', permission: 'view_dashboard', exact: true },
      { href: '/admin/reports', text: 'Reports', icon: 'flag', permission: 'manage_reports' },
      { href: '/admin/accounts', text: 'Accounts', icon: 'users', permission: 'manage_users' },
      { href: '/admin/sign_ups', text: 'Sign-ups', icon: 'user-plus', permission: 'manage_users' },
      { href: '/admin/appeals', text: 'Appeals', icon: 'scale', permission: 'manage_appeals' },
    ],
  },
  {
    title: 'Audit',
    topics: [
      { href: '/admin/audit', text: 'Audit log', icon: 'scroll-text', permission: 'view_audit_log' },
      { href: '/admin/replay', text: 'Replay', icon: 'history', permission: 'view_audit_log' },
      { href: '/admin/checkpoints', text: 'Checkpoints', icon: 'shield-check', permission: 'view_audit_log' },
      {
        href: '/admin/transparency',
        text: 'Transparency',
        icon: 'chart-no-axes-column',
        permission: 'view_audit_log',
      },
    ],
  },
  {
    title: 'Server',
    topics: [
      { href: '/admin/trends', text: 'Trends', icon: 'trending-up', permission: 'manage_taxonomies' },
      {
        href: '/admin/domain_blocks',
        text: 'Blocked domains',
        icon: 'globe',
        permission: 'manage_federation',
      },
      {
        href: '/admin/domain_allows',
        text: 'Allowed domains',
        icon: 'check',
        permission: 'manage_federation',
      },
      { href: '/admin/relays', text: 'Relays', icon: 'radio', permission: 'manage_federation' },
      {
        href: '/admin/email_domain_blocks',
        text: 'E-mail domains',
        icon: 'mail',
        permission: 'manage_blocks',
      },
      {
        href: '/admin/canonical_email_blocks',
        text: 'E-mail addresses',
        icon: 'at-sign',
        permission: 'manage_blocks',
      },
      { href: '/admin/ip_blocks', text: 'IP addresses', icon: 'network', permission: 'manage_blocks' },
      {
        href: '/admin/announcements',
        text: 'Announcements',
        icon: 'megaphone',
        permission: 'manage_announcements',
      },
      { href: '/admin/rules', text: 'Rules', icon: 'scroll-text', permission: 'manage_rules' },
      { href: '/admin/terms', text: 'Terms of service', icon: 'file-text', permission: 'manage_settings' },
      {
        href: '/admin/custom_emojis',
        text: 'Custom emojis',
        icon: 'smile',
        permission: 'manage_custom_emojis',
      },
      { href: '/admin/settings', text: 'Settings', icon: 'settings', permission: 'manage_settings' },
      { href: '/admin/roles', text: 'Roles', icon: 'shield', permission: 'manage_roles' },
    ],
  },
  {
    title: 'Operation',
    topics: [
      { href: '/admin/alerts', text: 'Alerts', icon: 'siren', permission: 'view_devops' },
      { href: '/admin/health', text: 'Health', icon: 'activity', permission: 'view_devops' },
      { href: '/admin/as-of', text: 'As-of builds', icon: 'skip-back', permission: 'view_devops' },
      { href: '/admin/projections', text: 'Projections', icon: 'layers', permission: 'view_devops' },
      { href: '/admin/reactors', text: 'Reactors', icon: 'workflow', permission: 'view_devops' },
      { href: '/admin/jobs', text: 'Jobs', icon: 'timer', permission: 'view_devops' },
      { href: '/admin/federation', text: 'Federation', icon: 'network', permission: 'view_devops' },
      { href: '/admin/log', text: 'Event log', icon: 'list-tree', permission: 'view_devops' },
    ],
  },
];

/** Returns the groups of a role, without the pages that it may not open. */
const topicsFor = (role: string | null): Group[] =>
  GROUPS.map(({ title, topics }) => ({
    title,
    topics: topics.filter(({ permission }) => mayDo(role, permission)),
  })).filter(({ topics }) => topics.length > 0);

/** Returns true for roles with any page of the console. */
export const isStaff = (role: string | null): boolean => topicsFor(role).length > 0;

/** Pages that belong to one with another address. */
const listedAs = (path: string): string =>
  path.replace(/^\/admin\/proofs\//, '/admin/audit/').replace(/^\/admin\/trace\//, '/admin/log/');

/** The number of things that wait on a page, or are wrong there, by its address. */
export type ConsoleCounts = Readonly<Record<string, number>>;

const counted = (topics: readonly ConsoleTopic[], counts: ConsoleCounts): NavLink[] =>
  topics.map((topic) => ({ ...topic, count: counts[topic.href] }));

/** Renders the navigation of the console: beside the page, or folded above it on phones. */
export const consoleNav = (role: string | null, path: string, counts: ConsoleCounts): Html =>
  html`<nav class="sidenav console-nav" aria-label="Console">
    ${topicsFor(role).map(
      ({ title, topics }) =>
        html`<h2 class="nav-title">${title}</h2>
          <ul>
            ${counted(topics, counts).map((topic) => navLink(topic, listedAs(path)))}
          </ul>`,
    )}
    <ul class="leave">
      ${navLink({ href: '/home', text: 'Leave the console', icon: 'arrow-left' }, path)}
    </ul>
  </nav>`;

/** Renders the same for phones. */
export const foldedNav = (role: string | null, path: string, counts: ConsoleCounts): Html =>
  html`<details class="box fold phone-only console-menu">
    <summary>
      ${icon('menu')}Console${countBadge(Object.values(counts).reduce((sum, count) => sum + count, 0))}
    </summary>
    <div class="console-topics">
      ${topicsFor(role).map(
        ({ title, topics }) =>
          html`<p class="nav-title">${title}</p>
            <ul>
              ${counted(topics, counts).map((topic) => navLink(topic, listedAs(path)))}
            </ul>`,
      )}
    </div>
  </details>`;
