import type { RequestContext } from '#kernel/context.ts';
import { statement } from '#kernel/read.ts';
import { members } from '#mastodon/ready-json.ts';
import type { RelationshipSeveranceEvent } from '#mastodon/schemas/index.ts';

/** Selects the viewer's own losses only. */
const SEVERANCES = statement<Omit<RelationshipSeveranceEvent, 'purged'>>(
  'notification_severances',
  `select id, type, target_name, followers_count, following_count, created_at from relationship_severances
   where account_id = $1 and id = any($2)`,
);

/**
 * Returns the member `event` of notifications, as text with a comma before it, by their ids; other types have
 * none. It has the id of its notification. At most one statement.
 * https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/
 */
export async function severanceMembers(
  { db, viewer }: RequestContext,
  rows: readonly { id: string; type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ id, type }) => (type === 'severed_relationships' ? [id] : []));
  if (ids.length === 0) return new Map();
  const severances = await db.query(SEVERANCES, [viewer?.account_id ?? null, ids]);
  return new Map(
    severances.map(({ id, type, ...rest }) => {
      // False: this server never purges what it knows of other servers.
      const facts = members({ id, type, purged: false, ...rest });
      return [id, `,"event":{${facts}}`];
    }),
  );
}
