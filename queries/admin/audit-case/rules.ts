import { INSTANCE_STREAM } from '#events/instance.ts';
import type { RequestContext } from '#kernel/context.ts';
import type { LoggedEvent } from '#kernel/services/event-browser.ts';
import type { CaseFile } from '#mastodon/schemas/index.ts';
import { foldWorld, type Past } from '../replay/index.ts';

/** Returns the rules that the last change of the report cites, as they read at a position. */
export async function citedRules(
  { services }: Pick<RequestContext, 'services'>,
  events: readonly LoggedEvent[],
  until: bigint,
): Promise<CaseFile['rules']> {
  const cited = events
    .filter(({ position }) => BigInt(position) <= until)
    .map(({ data }) => data?.['rule_ids'])
    .findLast((ids) => Array.isArray(ids));
  if (!cited || cited.length === 0) return [];
  // The stream has no other types of events.
  const past = (await services.pastEvents.ofStreams([INSTANCE_STREAM])) as unknown as Past[];
  const { rules } = foldWorld(past.filter(({ position }) => position <= until));
  return cited.map(String).map((id) => ({ id, text: rules.get(id)?.text ?? '(not a rule at that time)' }));
}
