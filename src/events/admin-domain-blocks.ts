import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.ts';
import { domain, id } from './common.ts';

/** The domain block that staff set on one domain; `name` is canonical (`src/mastodon/domain-name.ts`). */
export const domainBlockStream = (name: string): string => `domain-block-${name}`;

/** `silence` limits all accounts of the domain, `suspend` ends everything with it, `noop` leaves the other rules alone. */
export const domainSeverity = z.enum(['noop', 'silence', 'suspend']);
export type DomainSeverity = z.infer<typeof domainSeverity>;

export const MAX_COMMENT_LENGTH = 5_000;
const comment = z.string().max(MAX_COMMENT_LENGTH).nullable();

const rules = {
  severity: domainSeverity,
  /** Attachments and pictures of accounts of the domain are not shown. */
  reject_media: z.boolean(),
  reject_reports: z.boolean(),
  /** For staff. */
  private_comment: comment,
  /** Shown in the public list of blocks. */
  public_comment: comment,
  /** The public list shows the name in parts only. */
  obfuscate: z.boolean(),
};
export type DomainRules = z.infer<z.ZodObject<typeof rules>>;

/** Holds for the domain and all below it that have no block of their own. */
export const DomainBlocked = defineEvent({
  type: 'DomainBlocked',
  version: 1,
  schema: z.object({ id, domain, ...rules }),
  samples: {
    1: {
      id: '115500000000000033',
      domain: 'bad.example',
      severity: 'suspend',
      reject_media: true,
      reject_reports: true,
      private_comment: 'Seen again',
      public_comment: 'Spam',
      obfuscate: false,
    },
  },
});

/** Only what changed. */
export const DomainBlockChanged = defineEvent({
  type: 'DomainBlockChanged',
  version: 1,
  schema: z.object({ id, domain, ...z.object(rules).partial().shape }),
  samples: {
    1: { id: '115500000000000033', domain: 'bad.example', severity: 'silence', public_comment: null },
  },
});

export const DomainUnblocked = defineEvent({
  type: 'DomainUnblocked',
  version: 1,
  schema: z.object({ id, domain }),
  samples: { 1: { id: '115500000000000033', domain: 'bad.example' } },
});

export const domainBlockEvents = [DomainBlocked, DomainBlockChanged, DomainUnblocked];

export type DomainBlockEvent = EventOf<(typeof domainBlockEvents)[number]>;
