import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, time } from './common.ts';

/** One filter of one user: its settings, its keywords and its statuses. */
export const filterStream = (filterId: string): string => `filter-${filterId}`;

/** In UTF-16 units, so that 256 and 1,000 characters always fit. */
const MAX_TITLE_UNITS = 512;
const MAX_KEYWORD_UNITS = 2_000;

export const filterContext = z.enum(['home', 'notifications', 'public', 'thread', 'account']);
export type FilterContext = z.infer<typeof filterContext>;
/**
 * `warn` hides behind a warning, `hide` hides completely, `blur` hides only the media. Clients apply the
 * action.
 */
export const filterAction = z.enum(['warn', 'hide', 'blur']);
export type FilterAction = z.infer<typeof filterAction>;

const keyword = z.object({
  id,
  keyword: z.string().max(MAX_KEYWORD_UNITS),
  /** Matches only between word boundaries. */
  whole_word: z.boolean(),
});
export type FilterKeyword = z.infer<typeof keyword>;
const keywords = z.array(keyword).max(1_000);

const settings = {
  title: z.string().max(MAX_TITLE_UNITS),
  context: z.array(filterContext).max(5),
  filter_action: filterAction,
  /** The end of the filter; null for never. */
  expires_at: time.nullable(),
};
/** `account_id` is the owner. */
const owned = { filter_id: id, account_id: id };
const entry = { ...owned, id, status_id: id };
const sampleOwned = { filter_id: '115500000000000001', account_id: '109500000000000000' };
const sampleKeyword = { id: '115500000000000002', keyword: 'spoiler', whole_word: true };
const sampleEntry = { ...sampleOwned, id: '115500000000000003', status_id: '115500000000000004' };

export const FilterCreated = defineEvent({
  type: 'FilterCreated',
  version: 1,
  schema: z.object({ ...owned, ...settings, keywords }),
  personal: { subject: (data) => data.account_id, erased: { title: '', keywords: [] } },
  samples: {
    1: {
      ...sampleOwned,
      title: 'The series',
      context: ['home', 'public'],
      filter_action: 'warn',
      expires_at: null,
      keywords: [sampleKeyword],
    },
  },
});

/** Only what changed. */
export const FilterUpdated = defineEvent({
  type: 'FilterUpdated',
  version: 1,
  schema: z.object({ ...owned, ...z.object(settings).partial().shape }),
  personal: { subject: (data) => data.account_id, erased: { title: '' } },
  samples: { 1: { ...sampleOwned, title: 'That series', expires_at: '2026-12-01T00:00:00.000Z' } },
});

/** All keyword changes of one request. `changed` has their new values. */
export const FilterKeywordsEdited = defineEvent({
  type: 'FilterKeywordsEdited',
  version: 1,
  schema: z.object({ ...owned, added: keywords, changed: keywords, removed: z.array(id).max(1_000) }),
  personal: { subject: (data) => data.account_id, erased: { added: [], changed: [] } },
  samples: {
    1: {
      ...sampleOwned,
      added: [{ ...sampleKeyword, id: '115500000000000005' }],
      changed: [{ ...sampleKeyword, whole_word: false }],
      removed: ['115500000000000006'],
    },
  },
});

/** The filter matches a single status; `id` is that of the entry. */
export const FilterStatusAdded = defineEvent({
  type: 'FilterStatusAdded',
  version: 1,
  schema: z.object(entry),
  samples: { 1: sampleEntry },
});

export const FilterStatusRemoved = defineEvent({
  type: 'FilterStatusRemoved',
  version: 1,
  schema: z.object(entry),
  samples: { 1: sampleEntry },
});

export const FilterDeleted = defineEvent({
  type: 'FilterDeleted',
  version: 1,
  schema: z.object(owned),
  samples: { 1: sampleOwned },
});

export const filterEvents = [
  FilterCreated,
  FilterUpdated,
  FilterKeywordsEdited,
  FilterStatusAdded,
  FilterStatusRemoved,
  FilterDeleted,
];

export type FilterEvent = EventOf<(typeof filterEvents)[number]>;
