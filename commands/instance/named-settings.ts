import {
  accessTo,
  annualReportsOffer,
  type InstanceSettings,
  NEW_SERVER_SETTINGS,
  registrationsMode,
} from '#events/instance.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { isLonger } from '#mastodon/characters.ts';
import { languageCode } from '#mastodon/language.ts';
import { holderOfUsername, normalizeEmail } from '../accounts/index.ts';
import { readApps } from './apps.ts';
import { htmlOf } from './html.ts';
import { storeBanner, storeIcon } from './pictures.ts';

/** Reads the value of a setting: the bytes of a file, or a text. */
type Reader = (value: Buffer, ctx: CommandContext, name: string) => Promise<Changes> | Changes;
type Changes = Partial<InstanceSettings>;

/** Reads a text of one line with a maximum of characters. */
const line =
  (name: 'title' | 'short_description' | 'thumbnail_description', most: number): Reader =>
  (value) => {
    const text = value.toString().trim().replace(/\s+/g, ' ');
    if (isLonger(text, most)) throw wrong(name, `at most ${most} characters`);
    return { [name]: text };
  };

/** Reads a long text, or HTML; empty for none. */
const page =
  (name: 'extended_description' | 'privacy_policy'): Reader =>
  async (value, ctx) => {
    const content = await htmlOf(value.toString(), ctx.instance.origin);
    return { [name]: content === '' ? null : { content, updated_at: ctx.now } };
  };

const flag =
  (
    name: 'timeline_preview' | 'trendable_by_default' | 'peers_api_enabled' | 'activity_api_enabled',
  ): Reader =>
  (value) => {
    const text = value.toString().trim();
    if (text !== 'true' && text !== 'false') throw wrong(name, 'true or false');
    return { [name]: text === 'true' };
  };

/** Reads one of several words. */
const choice =
  (
    name: 'registrations' | 'show_domain_blocks' | 'show_domain_blocks_rationale' | 'annual_reports',
    options: typeof registrationsMode | typeof accessTo | typeof annualReportsOffer,
  ): Reader =>
  (value) => {
    const chosen = options.safeParse(value.toString().trim());
    if (!chosen.success) throw wrong(name, options.options.join(', '));
    return { [name]: chosen.data };
  };

const readers = {
  registrations: choice('registrations', registrationsMode),
  registrations_message: async (value, { instance }) => {
    const html = await htmlOf(value.toString(), instance.origin);
    if (html.length > 20_000) throw wrong('registrations_message', 'shorter');
    return { registrations_message: html };
  },
  timeline_preview: flag('timeline_preview'),
  trendable_by_default: flag('trendable_by_default'),
  title: line('title', 100),
  short_description: line('short_description', 1_000),
  extended_description: page('extended_description'),
  privacy_policy: page('privacy_policy'),
  contact_email: (value) => {
    const text = value.toString().trim();
    const email = text === '' ? '' : normalizeEmail(text, { dotless: true });
    if (email === undefined) throw wrong('contact_email', 'an e-mail address');
    return { contact_email: email };
  },
  contact_account: async (value, ctx) => {
    const name = value.toString().trim().replace(/^@/, '');
    const id = name === '' ? null : await holderOfUsername(ctx, name);
    if (id === undefined) throw new RookeryError('not_found', `There is no local account @${name}`);
    return { contact_account_id: id };
  },
  status_page_url: (value) => {
    const text = value.toString().trim();
    const url = text === '' ? null : URL.parse(text);
    if (url === null && text !== '') throw wrong('status_page_url', 'the address of a page');
    if (url && (!/^https?:$/.test(url.protocol) || url.href.length > 2_048)) {
      throw wrong('status_page_url', 'the address of a page');
    }
    return { status_page_url: url?.href ?? null };
  },
  languages: (value) => {
    const tags = value
      .toString()
      .split(/[\s,]+/)
      .filter(Boolean);
    const languages = tags.map((tag) => languageCode(tag));
    if (tags.length === 0 || tags.length > 50 || languages.includes(null)) {
      throw wrong('languages', 'codes such as en,de');
    }
    return { languages: [...new Set(languages as string[])] };
  },
  thumbnail: async (value, ctx) => ({ thumbnail: await storeBanner(ctx, value) }),
  thumbnail_description: line('thumbnail_description', 1_500),
  icon: async (value, ctx) => ({ icon: await storeIcon(ctx, value) }),
  peers_api_enabled: flag('peers_api_enabled'),
  activity_api_enabled: flag('activity_api_enabled'),
  show_domain_blocks: choice('show_domain_blocks', accessTo),
  show_domain_blocks_rationale: choice('show_domain_blocks_rationale', accessTo),
  annual_reports: choice('annual_reports', annualReportsOffer),
  apps: (value) => ({ apps: readApps(value.toString()) }),
  accent_color: (value) => {
    const text = value.toString().trim().toLowerCase();
    if (text === '') return { accent_color: null };
    if (!/^#[0-9a-f]{6}$/.test(text)) throw wrong('accent_color', 'a colour such as #7a3b8f');
    return { accent_color: text };
  },
} satisfies Record<string, Reader>;

export type SettingName = keyof typeof readers;

/** The names of the settings for operators; `thumbnail` and `icon` are pictures. */
export const SETTING_NAMES = Object.keys(readers) as SettingName[];

/** Returns the change for a text or a file. Stores pictures. @throws RookeryError `invalid`, `not_found` */
export const readSetting = async (
  ctx: CommandContext,
  name: SettingName,
  value: Buffer,
): Promise<Partial<InstanceSettings>> => readers[name](value, ctx, name);

/** Returns the change that makes a setting what it is on a new server. */
export function settingDefaults(name: SettingName): Partial<InstanceSettings> {
  const stored = name === 'contact_account' ? 'contact_account_id' : name;
  return { [stored]: NEW_SERVER_SETTINGS[stored] };
}

const wrong = (name: string, expected: string) => invalid(`${name} must be ${expected}`);
