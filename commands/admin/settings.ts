import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { accessTo, annualReportsOffer, MAX_TEXT_LENGTH, registrationsMode } from '#events/instance.ts';
import type { UploadedFile } from '#kernel/endpoint.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import { formBoolean, formStringArray, wordText } from '#kernel/input.ts';
import { adminSettingsSchema } from '#mastodon/schemas/index.ts';
import { adminSettings } from '#queries/admin/settings.ts';
import {
  changeSettings,
  readSettings,
  SETTING_NAMES,
  settingDefaults,
  type SettingName,
} from '../instance/index.ts';

/** As at the endpoints for pictures of profiles. */
const MAX_BYTES = 8 * 1024 * 1024;
const PICTURES = ['thumbnail', 'icon'] as const;

const short = z.string().max(2_048).nullish();
const audience = wordText(accessTo.options, 2_048).nullish();
const long = z.string().max(MAX_TEXT_LENGTH).nullish();

const settings = {
  registrations: wordText(registrationsMode.options, 2_048)
    .nullish()
    .describe('Who may sign up: `open`, `approved` (after a look by staff) or `closed`.'),
  registrations_message: long.describe('Text or HTML that the front page shows while nobody can sign up.'),
  timeline_preview: formBoolean.optional().describe('Whether public timelines are readable without a token.'),
  trendable_by_default: formBoolean
    .optional()
    .describe('Whether hashtags, posts and links may trend before staff have looked at them.'),
  title: short.describe('The name of the server; an empty value for that of its domain.'),
  short_description: short.describe('One or two sentences about the server.'),
  extended_description: long.describe('Text or HTML of the page about the server.'),
  privacy_policy: long.describe('Text or HTML; an empty value for the privacy policy of this version.'),
  contact_email: short.describe('An e-mail address for questions and reports, which everybody sees.'),
  contact_account: short.describe('The username of the local account that people may write to.'),
  status_page_url: short.describe('The address of a page that says whether the server is up.'),
  languages: short.describe('The languages of the website and its staff, such as `en,de`.'),
  thumbnail_description: short.describe('A description of the picture for people who cannot see it.'),
  peers_api_enabled: formBoolean.optional().describe('Whether the list of known servers is public.'),
  activity_api_enabled: formBoolean.optional().describe('Whether the numbers of weekly activity are public.'),
  show_domain_blocks: audience.describe(
    'Who sees the limited and suspended servers: `disabled`, `users` or `all`.',
  ),
  show_domain_blocks_rationale: audience.describe('Who sees the reasons: `disabled`, `users` or `all`.'),
  annual_reports: wordText(annualReportsOffer.options, 2_048)
    .nullish()
    .describe('When users may ask for their report: `december`, `always` or `never`.'),
  apps: long.describe('The apps that the pages recommend, as a list in JSON.'),
  accent_color: short.describe(
    'The colour of links and buttons, such as `#7a3b8f`; an empty value for ours.',
  ),
};

/** Mastodon changes settings on web pages, and has no API for it. */
export const updateSettings = endpoint({
  method: 'PUT',
  path: '/api/v1/admin/settings',
  summary: 'Change settings of this server; those that are not named stay',
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'manage_settings',
  longTexts: true,
  body: z.object({
    ...settings,
    reset: formStringArray(SETTING_NAMES.length, 100, { words: SETTING_NAMES })
      .optional()
      .describe('Names of settings that become what they were in the beginning.'),
  }),
  files: {
    maxBytes: MAX_BYTES,
    maxCount: PICTURES.length,
    fields: {
      thumbnail: { description: 'The picture for the front page and link previews.' },
      icon: { description: 'The logo, a square of at least 512 pixels.' },
    },
  },
  reply: adminSettingsSchema,
  handler: async (ctx, { body: { reset = [], ...texts }, files }) => {
    const changes: Parameters<typeof changeSettings>[1] = {};
    for (const name of reset) Object.assign(changes, settingDefaults(settingNamed(name)));
    const given = { ...textsOf(texts), ...(await picturesIn(files)) };
    await changeSettings(ctx, { ...changes, ...(await readSettings(ctx, given)) });
    return { json: await adminSettings(ctx) };
  },
});

function settingNamed(name: string): SettingName {
  const found = SETTING_NAMES.find((each) => each === name);
  if (found === undefined) throw invalid(`There is no setting ${name}`);
  return found;
}

type Given = Partial<Record<SettingName, Buffer>>;

/** Returns the given settings as the command line reads them; null is the empty text. */
const textsOf = (texts: Readonly<Record<string, string | boolean | null | undefined>>): Given =>
  Object.fromEntries(
    Object.entries(texts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Buffer.from(String(value ?? ''))]),
  );

async function picturesIn(files: Record<string, UploadedFile | undefined>): Promise<Given> {
  const given: Given = {};
  for (const name of PICTURES) {
    const file = files[name];
    if (file) given[name] = await readFile(file.path);
  }
  return given;
}

export const adminSettingsCommands = [updateSettings];
