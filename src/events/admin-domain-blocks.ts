import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { domain, id } from './common.ts';

/** The domain block that staff set on one domain; `name` is canonical (`src/mastodon/domain-name.ts`). */
export const domainBlockStream = (name: string): string => `domain-block-${name}`;

/**
 * `silence` limits all accounts of the domain, `suspend` ends all contact with it, `noop` applies only the
 * other rules.
 */
export const domainSeverity = z.enum(['noop', 'silence', 'suspend']);
export type DomainSeverity = z.infer<typeof domainSeverity>;

export const MAX_COMMENT_LENGTH = 5_000;
const comment = z.string().max(MAX_COMMENT_LENGTH).nullable();

const rules = {
  severity: domainSeverity,
  /** Hides attachments and pictures of accounts of the domain. */
  reject_media: z.boolean(),
  reject_reports: z.boolean(),
  /** Only staff sees it. */
  private_comment: comment,
  /** Shown in the public list of blocks. */
  public_comment: comment,
  /** The public list masks parts of the name. */
  obfuscate: z.boolean(),
};
export type DomainRules = z.infer<z.ZodObject<typeof rules>>;

/** Applies to the domain and to all subdomains without a block of their own. */
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
