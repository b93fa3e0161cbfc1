import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, time } from './common.ts';

/**
 * The block of one range of addresses. `digest` is keyed, because a plain digest of an address is easily
 * guessed.
 */
export const ipBlockStream = (digest: string): string => `ip-block-${digest}`;

/** The NOTIFY channel that announces changed rows of IP blocks. */
export const IP_BLOCKS_CHANNEL = 'rookery_ip_blocks';

export const ipSeverity = z.enum(['sign_up_requires_approval', 'sign_up_block', 'no_access']);
export type IpSeverity = z.infer<typeof ipSeverity>;

export const MAX_IP_COMMENT_LENGTH = 1_000;

const key = {
  id,
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /**
   * The name of the key of this block of this range. Older events lack it; their key is named after the
   * block's id, for any range.
   */
  key_id: id.optional(),
};
const rules = {
  severity: ipSeverity,
  comment: z.string().max(MAX_IP_COMMENT_LENGTH),
  /** The time at which it ends by itself. */
  expires_at: time.nullable(),
};
export type IpRules = z.infer<z.ZodObject<typeof rules>>;

const SAMPLE = { id: '115500000000000035', digest: '5d2c6e02'.repeat(8) };
/**
 * Addresses and comments are personal data. Both are gone for good when the block is lifted and its key
 * destroyed.
 */
export const ipBlockSubject = (block: { id: string; key_id?: string | undefined }): string =>
  `ip-block-${ipBlockKey(block)}`;
/** Returns the name of the key of a block. */
export const ipBlockKey = ({ id: blockId, key_id }: { id: string; key_id?: string | undefined }): string =>
  key_id ?? blockId;
/** Returns the name of the key of a block, from its subject; undefined for any other subject. */
export const ipBlockIn = (subject: string): string | undefined => /^ip-block-(\d+)$/.exec(subject)?.[1];
/** The values after the key was destroyed. Read models leave out a block without a range. */
const ERASED = { ip: '', comment: '' };

export const IpBlocked = defineEvent({
  type: 'IpBlocked',
  version: 1,
  /** `ip` is a range in Postgres's form: `192.0.2.0/24`. */
  schema: z.object({ ...key, ip: z.string().max(49), ...rules }),
  personal: { subject: ipBlockSubject, erased: ERASED },
  samples: {
    1: { ...SAMPLE, ip: '192.0.2.0/24', severity: 'no_access', comment: 'Scrapes', expires_at: null },
  },
});

/** Only what changed. */
export const IpBlockChanged = defineEvent({
  type: 'IpBlockChanged',
  version: 1,
  schema: z.object({ ...key, ...z.object(rules).partial().shape }),
  personal: { subject: ipBlockSubject, erased: { comment: '' } },
  samples: { 1: { ...SAMPLE, severity: 'sign_up_block', expires_at: '2026-12-24T18:00:00.000Z' } },
});

export const IpUnblocked = defineEvent({
  type: 'IpUnblocked',
  version: 1,
  schema: z.object(key),
  samples: { 1: SAMPLE },
});

export const ipBlockEvents = [IpBlocked, IpBlockChanged, IpUnblocked];

export type IpBlockEvent = EventOf<(typeof ipBlockEvents)[number]>;
