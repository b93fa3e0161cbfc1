import type { Fields } from '#interfaces/web/page/page.ts';
import { textsIn, unixLines } from '#interfaces/web/page/sent-texts.ts';
import type { Json, JsonObject } from '#kernel/event.ts';
import { isId } from '#kernel/ids.ts';
import { POLL_LIMITS } from '#mastodon/limits.ts';

/** The texts of an attachment as they were typed; `focus` is `x,y`. */
export interface TypedTexts {
  description?: string | undefined;
  focus?: string | undefined;
}

export interface PollDraft {
  options: readonly string[];
  /** Seconds; empty: the end of an edited poll stays. */
  expiresIn: string;
  multiple: boolean;
  hideTotals: boolean;
}

/** The contents of a composer. Empty texts stand for the defaults of the user. */
export interface Draft {
  text: string;
  warning: string;
  visibility: string;
  language: string;
  sensitive: boolean | undefined;
  /** Ids of uploads, in their order. */
  media: readonly string[];
  texts: Readonly<Record<string, TypedTexts>>;
  poll: PollDraft | undefined;
  /** The local time as browsers send it, `2030-01-31T18:00`, and its offset from UTC, `+02:00`. */
  scheduledAt: string;
  zone: string;
  inReplyTo: string;
  quoted: string;
  quotePolicy: string;
  /** The idempotency key. */
  key: string;
  returnTo: string;
}

export const UTC = '+00:00';

export const EMPTY: Draft = {
  text: '',
  warning: '',
  visibility: '',
  language: '',
  sensitive: undefined,
  media: [],
  texts: {},
  poll: undefined,
  scheduledAt: '',
  zone: UTC,
  inReplyTo: '',
  quoted: '',
  quotePolicy: '',
  key: '',
  returnTo: '',
};

export const NEW_POLL: PollDraft = {
  options: ['', ''],
  expiresIn: '86400',
  multiple: false,
  hideTotals: false,
};

/** More than the API takes, so that it refuses instead of us dropping something silently. */
const MAX_ITEMS = 10;

/** Returns the draft in a submitted form. */
export function draftOf(fields: Fields, nested: JsonObject): Draft {
  const text = (name: string): string => fields[name] ?? '';
  const media = [...new Set(textsIn(nested['media_ids']).filter(isId))].slice(0, MAX_ITEMS);
  return {
    text: unixLines(text('status')),
    warning: text('spoiler_text'),
    visibility: text('visibility'),
    language: text('language'),
    sensitive: fields['sensitive'] === undefined ? undefined : fields['sensitive'] === 'true',
    media,
    texts: Object.fromEntries(media.map((id) => [id, typedFor(id, fields)])),
    poll: pollIn(nested['poll']),
    scheduledAt: text('scheduled_at').trim(),
    zone: /^[+-]\d\d:\d\d$/.test(text('zone')) ? text('zone') : UTC,
    inReplyTo: idOrNone(text('in_reply_to_id')),
    quoted: idOrNone(text('quoted_status_id')),
    quotePolicy: text('quote_approval_policy'),
    key: text('key').slice(0, 100),
    returnTo: text('return_to'),
  };
}

/** Returns the names and values of the fields that a form carries along without showing them. */
export function hiddenFieldsOf(draft: Draft): [string, string][] {
  const { poll, media, sensitive } = draft;
  return [
    ['status', draft.text],
    ['spoiler_text', draft.warning],
    ['visibility', draft.visibility],
    ['language', draft.language],
    ...(sensitive === undefined ? [] : [['sensitive', String(sensitive)] as [string, string]]),
    ...media.map((id): [string, string] => ['media_ids[]', id]),
    ...(poll === undefined ? [] : hiddenPoll(poll)),
    ['in_reply_to_id', draft.inReplyTo],
    ['quoted_status_id', draft.quoted],
    ['quote_approval_policy', draft.quotePolicy],
    ['key', draft.key],
    ['return_to', draft.returnTo],
  ];
}

const hiddenPoll = ({ options, expiresIn, multiple, hideTotals }: PollDraft): [string, string][] => [
  ...options.map((option): [string, string] => ['poll[options][]', option]),
  ['poll[expires_in]', expiresIn],
  ['poll[multiple]', String(multiple)],
  ['poll[hide_totals]', String(hideTotals)],
];

function pollIn(value: Json | undefined): PollDraft | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const text = (name: string): string => {
    const given = value[name];
    return typeof given === 'string' ? given : '';
  };
  const options = textsIn(value['options']).slice(0, MAX_ITEMS);
  return {
    options: [...options, '', ''].slice(0, Math.max(2, options.length)),
    expiresIn: text('expires_in'),
    multiple: text('multiple') === 'true',
    hideTotals: text('hide_totals') === 'true',
  };
}

const typedFor = (id: string, fields: Fields): TypedTexts => {
  const description = fields[`description_${id}`];
  return {
    description: description === undefined ? undefined : unixLines(description),
    focus: fields[`focus_${id}`],
  };
};

const idOrNone = (text: string): string => (isId(text) ? text : '');

/** Returns the draft after one of the small buttons: `remove-ID`, `up-ID`, `poll`, `unpoll`, `option`, `alone`. */
export function changedBy(draft: Draft, act: string): Draft {
  const { poll, media } = draft;
  const [kind = '', id = ''] = act.split('-', 2);
  if (kind === 'remove') return { ...draft, media: media.filter((each) => each !== id) };
  if (kind === 'up') return { ...draft, media: movedUp(media, id) };
  if (kind === 'poll') return { ...draft, poll: poll ?? NEW_POLL };
  if (kind === 'unpoll') return { ...draft, poll: undefined };
  if (kind === 'alone') return { ...draft, inReplyTo: '', quoted: '' };
  if (kind === 'option' && poll && poll.options.length < POLL_LIMITS.max_options) {
    return { ...draft, poll: { ...poll, options: [...poll.options, ''] } };
  }
  return draft;
}

function movedUp(media: readonly string[], id: string): string[] {
  const at = media.indexOf(id);
  if (at < 1) return [...media];
  return [...media.slice(0, at - 1), id, ...media.slice(at - 1, at), ...media.slice(at + 1)];
}
