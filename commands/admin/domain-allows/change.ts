import { domainAllowStream } from '../../../src/events/domain-allows.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import { decideAllow, decideDisallow, domainAllow } from './domain-allow.ts';

/** Allows a canonical domain. The read models contain it when this resolves. */
export async function allowDomain(ctx: CommandContext, domain: string): Promise<void> {
  const allow = { id: ctx.newId(), domain };
  await ctx.execute(domainAllowStream(domain), domainAllow, (state) => decideAllow(state, allow));
}

/** @throws RookeryError `not_found` when the domain is not allowed */
export async function disallowDomain(ctx: CommandContext, domain: string): Promise<void> {
  await ctx.execute(domainAllowStream(domain), domainAllow, (state) => decideDisallow(state, domain));
}
