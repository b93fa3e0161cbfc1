import { type Db, statement } from '#kernel/read.ts';
import { type Approval, approvalOf } from '../federation/index.ts';
import { hasPolicy, isRequested } from '../visibility/interaction-policies.ts';
import { meantFor } from './page.ts';

/** The status that a new post replies to. */
export interface ParentStatus {
  id: string;
  account_id: string;
  in_reply_to_account_id: string | null;
  conversation_id: string;
  /** It is a reply by the same author that waits for approval. */
  requested?: boolean;
  /** Absent without an interaction policy; `polite` tells how to ask its author. */
  reply?: { approval: Approval; polite: boolean };
}

/** A reply to a reblog becomes a reply to the original. */
const PARENT = statement<Omit<ParentStatus, 'reply'> & { policied: boolean }>(
  'posting_parent',
  `select p.id, p.account_id, p.in_reply_to_account_id, p.conversation_id, ${hasPolicy('p.id')} as policied,
     ${isRequested('p.id')} as requested from statuses p where p.id = ${meantFor('$2')}`,
);

/** Returns the status that an author replies to; null when it is deleted or they may not see it. */
export async function parentOf(db: Db, id: string, authorId: string): Promise<ParentStatus | null> {
  const [row] = await db.query(PARENT, [id, authorId]);
  if (!row) return null;
  const { policied, ...parent } = row;
  return policied ? { ...parent, reply: await approvalOf(db, 'reply', parent.id, authorId) } : parent;
}
