import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { severFromAccount, severFromServer } from '#commands/domain-blocks/index.ts';
import { DomainBlockChanged, DomainBlocked, DomainUnblocked } from '#events/admin-domain-blocks.ts';
import { UserDomainBlocked } from '#events/domain-blocks.ts';
import { idAt } from '#kernel/ids.ts';
import { reactor } from '#kernel/reactor.ts';
import { holdingBlock } from '#queries/admin/domain-blocks/index.ts';

/** Ends the relationships between a user and a domain that they block. */
export const blockedDomains = reactor({
  name: 'blocked-domains',
  on: [UserDomainBlocked],
  react: async (ctx, { data }, { signal }) => {
    await severFromAccount(ctx, data, signal);
  },
});

const SEVER_DOMAIN = 'sever-domain';

/**
 * Ends all relationships with a domain that staff suspends. When the block of a subdomain ends, the
 * suspension may cover more of the domain.
 */
export const suspendedDomains = reactor({
  name: 'suspended-domains',
  on: [DomainBlocked, DomainBlockChanged, DomainUnblocked],
  ignores: ({ type, data }) => type !== 'DomainUnblocked' && data.severity !== 'suspend',
  react: async (ctx, { type, data, metadata, position }) => {
    const { domain } = data;
    if ((await holdingBlock(ctx.db, domain))?.severity !== 'suspend') return;
    // A block may suspend more than once; the event itself happens once.
    const later = (BigInt(idAt(Date.parse(metadata.time))) + (position & 0xffffn)).toString();
    const id = type === 'DomainBlocked' ? data.id : later;
    await ctx.services.jobs.enqueue(SEVER_DOMAIN, { id, domain }, { singletonKey: id });
  },
});

/** A domain may have very many follows. */
export const severDomain: JobDefinition = {
  name: SEVER_DOMAIN,
  work: async (ctx, { id, domain }, { signal }) => {
    if (typeof id === 'string' && typeof domain === 'string')
      await severFromServer(ctx, { id, domain }, signal);
  },
};
