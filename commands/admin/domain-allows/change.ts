import { useCase } from '#commands/use-case.ts';
import { domainAllowStream } from '#events/domain-allows.ts';
import { decideAllow, decideDisallow, domainAllow } from './domain-allow.ts';

/** Allows a canonical domain. The read models contain it when this resolves. */
export const allowDomain = useCase({
  prepare: ({ newId }, domain: string) => ({ id: newId(), domain }),
  stream: ({ domain }) => domainAllowStream(domain),
  decider: domainAllow,
  decide: decideAllow,
});

/** @throws RookeryError `not_found` when the domain is not allowed */
export const disallowDomain = useCase({
  stream: domainAllowStream,
  decider: domainAllow,
  decide: decideDisallow,
});
