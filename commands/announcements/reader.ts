import type { AnnouncementReaderEvent } from '#events/announcements.ts';
import { MAX_REACTIONS } from '#events/announcements.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `announcement-reader-<account>-<announcement>`. */
export interface AnnouncementReader {
  dismissed: boolean;
  /** Emojis, or shortcodes of custom ones. */
  reactions: ReadonlySet<string>;
}

export const announcementReader: Decider<AnnouncementReader, AnnouncementReaderEvent> = {
  initialState: { dismissed: false, reactions: new Set() },
  evolve: (state, { type, data }) => {
    if (type === 'AnnouncementDismissed') return { ...state, dismissed: true };
    const reactions = new Set(state.reactions);
    if (type === 'AnnouncementReactionAdded') reactions.add(data.name);
    else reactions.delete(data.name);
    return { ...state, reactions };
  },
};

interface Reader {
  announcement_id: Id;
  account_id: Id;
}

/** Decides nothing the second time. Pure. */
export const decideDismiss = (
  { dismissed }: AnnouncementReader,
  reader: Reader,
): AnnouncementReaderEvent[] => (dismissed ? [] : [{ type: 'AnnouncementDismissed', data: reader }]);

/**
 * Decides nothing for an existing reaction. `emoji` is the reaction in its full form, undefined for an
 * unknown one. Pure.
 * @throws RookeryError `invalid`
 */
export function decideReact(
  { reactions }: AnnouncementReader,
  reader: Reader & { id: Id },
  emoji: string | undefined,
): AnnouncementReaderEvent[] {
  if (emoji === undefined) throw unknownEmoji();
  if (reactions.has(emoji)) return [];
  return [{ type: 'AnnouncementReactionAdded', data: { ...reader, name: emoji } }];
}

/** Checks the number of distinct reactions of all readers. @throws RookeryError `invalid` past the limit */
export function checkReactionLimit(differentReactions: number): void {
  if (differentReactions > MAX_REACTIONS) {
    throw invalid('Validation failed: Limit of different reactions reached');
  }
}

/**
 * `name` as given, so that the reaction with a deleted custom emoji can be removed. Pure. @throws
 * RookeryError `invalid`
 */
export function decideUnreact(
  { reactions }: AnnouncementReader,
  reader: Reader,
  { name, emoji }: { name: string; emoji: string | undefined },
): AnnouncementReaderEvent[] {
  const added = [name, emoji].find((each) => each !== undefined && reactions.has(each));
  if (added !== undefined) {
    return [{ type: 'AnnouncementReactionRemoved', data: { ...reader, name: added } }];
  }
  if (emoji === undefined) throw unknownEmoji();
  return [];
}

const unknownEmoji = () => invalid('Validation failed: Name is not a recognized emoji');
