import { idParams } from '#kernel/input.ts';
import { type Db, statement } from '#kernel/read.ts';
import { meantFor } from './page.ts';

const SHOWN = statement<{ id: string | null }>('status_shown', `select ${meantFor('$2')} as id`);

/**
 * Returns the id of the post that an id means; undefined when the viewer (null: a stranger) may not see it.
 */
export async function shownStatus(
  db: Db,
  viewerId: string | null,
  statusId: string,
): Promise<string | undefined> {
  const [row] = await db.query(SHOWN, [statusId, viewerId]);
  return row?.id ?? undefined;
}

/** The common part of endpoints that look up a post before they check the token. */
export const ofShownStatus = {
  params: idParams,
  subjectShown: async (db: Db, viewerId: string | null, id: string): Promise<boolean> =>
    (await shownStatus(db, viewerId, id)) !== undefined,
} as const;
