import { PAGE_JOINS, pageNotMutedBy, pageVisibleTo } from '../statuses/index.ts';

/** The columns of `conversations c` for rendering. */
export const CONVERSATION_COLUMNS = `c.id, c.participants, c.last_status_id,
  c.marked_unread or coalesce(c.heard_position > greatest(c.read_position, c.removed_position, 0), false) as unread`;

export interface ConversationRow {
  id: string;
  /** All participants but the viewer; empty for a conversation with oneself. */
  participants: string[];
  last_status_id: string;
  unread: boolean;
}

/** Joins the last post `s`. */
export const CONVERSATION_JOINS = `join statuses s on s.id = c.last_status_id ${PAGE_JOINS}`;

/** Selects the conversations in the viewer's list, which are those whose last post they may see. */
export const shownTo = (viewer: string): string =>
  `c.account_id = ${viewer} and ${pageVisibleTo(viewer)} and ${pageNotMutedBy(viewer)}`;
