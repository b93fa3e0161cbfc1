import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.ts';
import { visibility } from './accounts.ts';
import { id, language, time, url } from './common.ts';

/** One post: created, edited, deleted. */
export const statusStream = (statusId: string): string => `status-${statusId}`;

const mention = z.object({ id, username: z.string().max(2_048), acct: z.string().max(2_400), url });
const application = z.object({ id, name: z.string().max(60), website: z.string().max(2_000).nullable() });

export const StatusCreated = defineEvent({
  type: 'StatusCreated',
  version: 1,
  schema: z.object({
    id,
    account_id: id,
    /** False for a post that came over federation. */
    local: z.boolean(),
    uri: url,
    url: url.nullable(),
    created_at: time,
    /** What the author typed; null for a remote post. */
    text: z.string().max(100_000).nullable(),
    /** The post as HTML. */
    content: z.string().max(500_000),
    spoiler_text: z.string().max(100_000),
    visibility,
    sensitive: z.boolean(),
    language: language.nullable(),
    in_reply_to_id: id.nullable(),
    in_reply_to_account_id: id.nullable(),
    mentions: z.array(mention).max(1_000),
    /** As written; their normal form is what timelines compare. */
    tags: z.array(z.object({ name: z.string().max(500), normal: z.string().max(500) })).max(1_000),
    application: application.nullable(),
  }),
  personal: { subject: (data) => data.account_id, erased: { text: '', content: '', spoiler_text: '' } },
  samples: {
    1: {
      id: '115500000000000000',
      account_id: '109500000000000000',
      local: true,
      uri: 'https://rookery.example/users/alice/statuses/115500000000000000',
      url: 'https://rookery.example/@alice/115500000000000000',
      created_at: '2026-11-21T08:00:00.000Z',
      text: 'Hello #World',
      content: '<p>Hello #World</p>',
      spoiler_text: '',
      visibility: 'public',
      sensitive: false,
      language: 'en',
      in_reply_to_id: null,
      in_reply_to_account_id: null,
      mentions: [],
      tags: [{ name: 'World', normal: 'world' }],
      application: null,
    },
  },
});

/** Soft: gone for clients at once, kept for open reports. */
export const StatusDeleted = defineEvent({
  type: 'StatusDeleted',
  version: 1,
  schema: z.object({ id, account_id: id, visibility, in_reply_to_id: id.nullable() }),
  samples: {
    1: {
      id: '115500000000000000',
      account_id: '109500000000000000',
      visibility: 'public',
      in_reply_to_id: null,
    },
  },
});

export const statusEvents = [StatusCreated, StatusDeleted];
export type StatusEvent = EventOf<typeof StatusCreated> | EventOf<typeof StatusDeleted>;
