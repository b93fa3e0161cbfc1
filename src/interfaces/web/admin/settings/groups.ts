import type { Choice } from '#interfaces/web/design/choice-fields.ts';
import type { AdminSettings } from '#mastodon/schemas/index.ts';

export const SETTINGS = '/admin/settings';

type Name = Exclude<keyof AdminSettings, 'changed'>;

interface Described {
  name: Name;
  label: string;
  /** Says what the setting means. */
  hint: string;
}

/** One setting, and how it is filled in. */
export type Setting = Described &
  (
    | { kind: 'line' | 'text' | 'json'; most: number }
    | { kind: 'flag' | 'picture' }
    | { kind: 'choice'; choices: readonly Choice[] }
  );

export interface SettingsGroup {
  path: string;
  title: string;
  settings: readonly Setting[];
}

const AUDIENCE: readonly Choice[] = [
  { value: 'disabled', label: 'Nobody' },
  { value: 'users', label: 'Users who are signed in' },
  { value: 'all', label: 'Everybody' },
];

const line = (name: Name, label: string, hint: string, most = 2_048): Setting => ({
  kind: 'line',
  name,
  label,
  hint,
  most,
});
const text = (name: Name, label: string, hint: string, most = 200_000): Setting => ({
  kind: 'text',
  name,
  label,
  hint,
  most,
});
const flag = (name: Name, label: string, hint: string): Setting => ({ kind: 'flag', name, label, hint });

/** Every setting of the server, in groups that are saved together. */
export const GROUPS: readonly SettingsGroup[] = [
  {
    path: SETTINGS,
    title: 'Server',
    settings: [
      line('title', 'Name', 'Shown on every page and in apps. Without one it is the domain.', 200),
      text(
        'short_description',
        'Description',
        'One or two sentences for the front page and for apps.',
        2_000,
      ),
      line(
        'contact_email',
        'Contact address',
        'An e-mail address for questions and reports, which everybody sees.',
        320,
      ),
      line(
        'contact_account',
        'Contact account',
        'The username of the local account that people may write to.',
      ),
      line('languages', 'Languages', 'Those of the website and its staff, as codes: en, de.'),
      line('status_page_url', 'Status page', 'The address of a page that says whether the server is up.'),
    ],
  },
  {
    path: `${SETTINGS}/look`,
    title: 'Look',
    settings: [
      {
        kind: 'picture',
        name: 'thumbnail',
        label: 'Picture',
        hint: 'For the front page and link previews, 1200 × 630 pixels.',
      },
      line('thumbnail_description', 'Description of the picture', 'For people who cannot see it.', 1_500),
      { kind: 'picture', name: 'icon', label: 'Logo', hint: 'A square of at least 512 pixels.' },
      line(
        'accent_color',
        'Accent colour',
        'As in #7a3b8f; empty for the colour of Rookery. It is adapted where text would be hard to read.',
        20,
      ),
    ],
  },
  {
    path: `${SETTINGS}/registrations`,
    title: 'Sign-ups',
    settings: [
      {
        kind: 'choice',
        name: 'registrations',
        label: 'Who can sign up',
        hint: 'Accounts that exist are not affected.',
        choices: [
          { value: 'open', label: 'Anyone can sign up' },
          { value: 'approved', label: 'Approval required to sign up' },
          { value: 'closed', label: 'Nobody can sign up' },
        ],
      },
      text(
        'registrations_message',
        'Message while nobody can sign up',
        'Text or HTML, on the front page.',
        20_000,
      ),
    ],
  },
  {
    path: `${SETTINGS}/discovery`,
    title: 'Discovery',
    settings: [
      flag(
        'timeline_preview',
        'Public timelines without signing in',
        'Strangers can read the local and the federated timeline.',
      ),
      flag(
        'trendable_by_default',
        'Trends without review',
        'Hashtags, posts and links may trend before staff have looked at them.',
      ),
      flag(
        'peers_api_enabled',
        'Publish known servers',
        'Everybody can read the list of servers that this one knows.',
      ),
      flag(
        'activity_api_enabled',
        'Publish activity',
        'Everybody can read how many posts, sign-ins and sign-ups each week has.',
      ),
      {
        kind: 'choice',
        name: 'show_domain_blocks',
        label: 'Show blocked domains',
        hint: 'On the page about this server, and by the API.',
        choices: AUDIENCE,
      },
      {
        kind: 'choice',
        name: 'show_domain_blocks_rationale',
        label: 'Show why domains are blocked',
        hint: 'The public comments of the blocks.',
        choices: AUDIENCE,
      },
      {
        kind: 'choice',
        name: 'annual_reports',
        label: 'Annual reports',
        hint: 'When users may ask for the report about their year.',
        choices: [
          { value: 'december', label: 'In December' },
          { value: 'always', label: 'At any time' },
          { value: 'never', label: 'Never' },
        ],
      },
    ],
  },
  {
    path: `${SETTINGS}/texts`,
    title: 'Texts',
    settings: [
      text('extended_description', 'About this server', 'Text or HTML of the page about the server.'),
      text(
        'privacy_policy',
        'Privacy policy',
        'Text or HTML; empty for the policy that comes with this version.',
      ),
    ],
  },
  {
    path: `${SETTINGS}/apps`,
    title: 'Apps',
    settings: [
      {
        kind: 'json',
        name: 'apps',
        label: 'Apps that the pages recommend',
        hint: 'A list in JSON: name, platform, description and website of each. Reset it for those of this version.',
        most: 100_000,
      },
    ],
  },
];
