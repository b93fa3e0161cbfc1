import { isDeepStrictEqual } from 'node:util';
import type { PreviewCardData } from '#events/preview-card.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import { useCase } from '../use-case.ts';
import { type Status, status } from './status.ts';

interface Attachment {
  id: string;
  /** The HTML that contained the link. A post that was edited since has another reaction under way. */
  content: string;
  card: PreviewCardData | null;
}

/** Attaches the card of a post's link, or removes it. */
export const attachCard = useCase({
  stream: ({ id }: Attachment) => statusStream(id),
  decider: status,
  decide: (state, { content, card }) => decideAttachCard(state, content, card),
});

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
