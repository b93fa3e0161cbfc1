import { INSTANCE_STREAM, type InstanceEvent } from '#events/instance.ts';
import { invalid } from '#kernel/errors.ts';
import { calendarDay } from '#kernel/time.ts';
import { useCase } from '../use-case.ts';
import { htmlOf } from './html.ts';
import { instance, type InstanceState } from './instance.ts';

/**
 * Publishes terms of service, as text or HTML, that apply from a day on (`2026-12-01`, UTC). Published terms
 * stay: users who agreed to terms can read them for ever. @throws RookeryError `invalid`
 */
export const publishTerms = useCase({
  prepare: async (ctx, { text, effectiveDate }: { text: string; effectiveDate: string }) => {
    const content = await htmlOf(text, ctx.instance.origin);
    if (content === '') throw invalid("The terms of service can't be blank");
    return { content, effectiveDate };
  },
  stream: () => INSTANCE_STREAM,
  decider: instance,
  decide: decidePublishTerms,
});

/**
 * Pure. @throws RookeryError `invalid` for text that is no date, or for one that is not after that of the
 * previous terms
 */
export function decidePublishTerms(
  { lastTerms }: InstanceState,
  { content, effectiveDate }: { content: string; effectiveDate: string },
): InstanceEvent[] {
  if (!calendarDay.safeParse(effectiveDate).success)
    throw invalid('The effective date must be a day such as 2026-12-01');
  if (lastTerms !== null && effectiveDate <= lastTerms) {
    throw invalid(`There are terms for ${lastTerms} already: new ones must take effect later`);
  }
  return [{ type: 'TermsOfServicePublished', data: { effective_date: effectiveDate, content } }];
}
