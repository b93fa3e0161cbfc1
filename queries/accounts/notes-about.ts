import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

const NOTES = statement<NoteAbout>(
  'notes_about',
  `select n.account_id as id, n.comment from account_notes n join accounts a on a.id = n.account_id and a.domain is null
   where n.target_account_id = $1 and n.account_id < $2 order by n.account_id desc limit $3`,
);

/** The note of a local account about another one. */
export interface NoteAbout {
  /** The id of the note's author. */
  id: Id;
  comment: string;
}

/** Returns the private notes about an account whose authors have ids below `before`, highest id first. */
export const notesAbout = (db: Db, accountId: Id, before: Id, limit: number): Promise<NoteAbout[]> =>
  db.query(NOTES, [accountId, before, limit]);
