import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

const COUNT = statement<PollVoters>(
  'poll_voters_of_site',
  `select p.voters_count as voters, coalesce(s.voters, 0) as strangers
   from polls p left join poll_strangers s on s.poll_id = p.id and s.site = $2 where p.id = $1`,
);

/**
 * The number of voters in a poll, and of those among them that are accounts of one site and became known
 * after the poll was posted.
 */
export interface PollVoters {
  voters: number;
  strangers: number;
}

/** Returns the voters of a poll; none for an unknown poll. */
export const pollVoters = async (db: Db, pollId: Id, site: string): Promise<PollVoters> =>
  (await db.query(COUNT, [pollId, site]))[0] ?? { voters: 0, strangers: 0 };
