import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { clientApp, MAX_APPS } from './client-apps.ts';
import { id, language, time, url } from './common.ts';
import { instanceRuleEvents } from './instance-rules.ts';

/** The settings, rules and terms of this server. */
export const INSTANCE_STREAM = 'instance';

export const registrationsMode = z.enum(['open', 'approved', 'closed']);

/** The audience of a page about moderation. */
export const accessTo = z.enum(['disabled', 'users', 'all']);
export type AccessTo = z.infer<typeof accessTo>;

export const annualReportsOffer = z.enum(['december', 'always', 'never']);

/** UTF-16 units of an HTML text, sanitized. */
export const MAX_TEXT_LENGTH = 200_000;

/** A longer text as sanitized HTML. */
const text = z.object({ content: z.string().max(MAX_TEXT_LENGTH), updated_at: time });
export type InstanceText = z.infer<typeof text>;

const key = z.string().max(200);

export const instanceSettingsSchema = z.object({
  registrations: registrationsMode,
  /** HTML that is shown while registrations are closed; empty for none. */
  registrations_message: z.string().max(20_000),
  /** Public timelines are readable without a token. */
  timeline_preview: z.boolean(),
  /** Hashtags, posts and links may trend before a review by staff. */
  trendable_by_default: z.boolean(),
  /** Plain text; empty for the name of the domain. */
  title: z.string().max(200),
  /** Plain text. */
  short_description: z.string().max(2_000),
  extended_description: text.nullable(),
  privacy_policy: text.nullable(),
  contact_email: z.string().max(320),
  contact_account_id: id.nullable(),
  /** The page that shows whether the server is up. */
  status_page_url: url.nullable(),
  /** The languages of the website and its staff. */
  languages: z.array(language).max(50),
  /** The banner in two sizes, as keys of the media store. */
  thumbnail: z.object({ '@1x': key, '@2x': key, blurhash: z.string().max(200) }).nullable(),
  /** A description of the banner for people who cannot see it. */
  thumbnail_description: z.string().max(1_500),
  /** Square pictures of `size` pixels, as keys of the media store. */
  icon: z.array(z.object({ size: z.int().min(1).max(4_096), key })).max(20),
  /** The lists of known servers and of activity are public. */
  peers_api_enabled: z.boolean(),
  activity_api_enabled: z.boolean(),
  /** The audiences of the list of limited and suspended servers, and of the reasons. */
  show_domain_blocks: accessTo,
  show_domain_blocks_rationale: accessTo,
  /** The time in which users may request their annual report. */
  annual_reports: annualReportsOffer,
  /** The apps that pages recommend; null for those that come with this version. */
  apps: z.array(clientApp).max(MAX_APPS).nullable(),
  /** The colour of links and buttons, `#0b6e7c`; null for that of this version. */
  accent_color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .nullable(),
});
export type InstanceSettings = z.infer<typeof instanceSettingsSchema>;

/** The settings until an event changes them. Logs rely on them, so they stay. */
export const DEFAULT_SETTINGS: InstanceSettings = {
  registrations: 'open',
  registrations_message: '',
  timeline_preview: true,
  trendable_by_default: false,
  title: '',
  short_description: '',
  extended_description: null,
  privacy_policy: null,
  contact_email: '',
  contact_account_id: null,
  status_page_url: null,
  languages: ['en'],
  thumbnail: null,
  thumbnail_description: '',
  icon: [],
  peers_api_enabled: true,
  activity_api_enabled: true,
  show_domain_blocks: 'disabled',
  show_domain_blocks_rationale: 'disabled',
  annual_reports: 'december',
  apps: null,
  accent_color: null,
};

/** The settings of a new server in public, and those that a reset restores. */
export const NEW_SERVER_SETTINGS: InstanceSettings = { ...DEFAULT_SETTINGS, registrations: 'closed' };

/** Only what changed. */
export const InstanceSettingsChanged = defineEvent({
  type: 'InstanceSettingsChanged',
  version: 6,
  schema: instanceSettingsSchema.partial(),
  // Earlier versions lack some members.
  upcasts: { 1: (data) => data, 2: (data) => data, 3: (data) => data, 4: (data) => data, 5: (data) => data },
  samples: {
    1: { registrations: 'open', timeline_preview: true },
    2: { title: 'The Rookery', contact_account_id: null, languages: ['en', 'de'] },
    3: { title: 'The Rookery', annual_reports: 'never' },
    4: { title: 'The Rookery', trendable_by_default: true },
    5: {
      apps: [
        {
          name: 'Elk',
          platform: 'web',
          description: 'A web client',
          website: 'https://elk.zone/',
          address: 'https://elk.zone/{host}',
        },
      ],
    },
    6: { accent_color: '#7a3b8f' },
  },
});

/** Terms that apply from a day on (UTC), until later ones do. */
export const TermsOfServicePublished = defineEvent({
  type: 'TermsOfServicePublished',
  version: 1,
  schema: z.object({
    effective_date: z.iso.date(),
    /** Sanitized HTML. */
    content: z.string().max(MAX_TEXT_LENGTH),
  }),
  samples: { 1: { effective_date: '2026-12-01', content: '<p>Be kind.</p>' } },
});

export const instanceEvents = [InstanceSettingsChanged, TermsOfServicePublished, ...instanceRuleEvents];
export type InstanceEvent = EventOf<(typeof instanceEvents)[number]>;
