import { isDeepStrictEqual } from 'node:util';
import type { PreviewCardData } from '../../src/events/preview-card.ts';
import { statusStream, type StatusEvent } from '../../src/events/statuses.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { status, type Status } from './status.ts';

/**
 * Attaches the card of a post's link, or removes it.
 * @param content the HTML that contained the link: a post that was edited since has another reaction under
 * way
 */
export async function attachCard(
  ctx: CommandContext,
  id: string,
  content: string,
  card: PreviewCardData | null,
): Promise<void> {
  await ctx.execute(statusStream(id), status, (state) => decideAttachCard(state, content, card));
}

/** Pure. */
export function decideAttachCard(
  state: Status,
  content: string,
  card: PreviewCardData | null,
): StatusEvent[] {
  if (state.state !== 'visible' || state.data.content !== content) return [];
  if (isDeepStrictEqual(state.card, card)) return [];
  const { id, account_id } = state.data;
  return [{ type: 'PreviewCardAttached', data: { id, account_id, card } }];
}
