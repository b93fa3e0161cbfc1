import type { EventMetadata } from '#kernel/event.ts';
import { type Db, statement } from '#kernel/read.ts';
import { actorOf } from '#mastodon/audit-log.ts';
import type { ReplayStep } from '#mastodon/schemas/index.ts';
import { thingOf } from './fold.ts';
import type { Part } from './replay.ts';

const ENTRIES = statement<{ position: string }>(
  'replay_entries',
  'select position from audit_entries where position = any($1::bigint[])',
);
const ACTORS = statement<{ id: string; acct: string }>(
  'replay_actors',
  `select id, username || coalesce('@' || domain, '') as acct from accounts where id = any($1::bigint[])`,
);

/** Returns the steps of a page, with the names of the actors and the lines of the audit log. */
export async function stepsShown(
  db: Db,
  { page, first }: Pick<Part, 'page' | 'first'>,
): Promise<ReplayStep[]> {
  const actors = [...new Set(page.flatMap(({ metadata }) => metadata.actor?.account_id ?? []))];
  const [entries, accounts] = await Promise.all([
    db.query(ENTRIES, [page.map(({ position }) => String(position))]),
    actors.length === 0 ? [] : db.query(ACTORS, [actors]),
  ]);
  const lines = new Set(entries.map(({ position }) => position));
  const names = new Map(accounts.map(({ id, acct }) => [id, acct]));
  return page.map(({ position, id, type, stream, metadata }, index) => ({
    step: first + index,
    position: String(position),
    event_id: id,
    type,
    created_at: metadata.time,
    about: thingOf(stream),
    actor: actorShown(metadata, names),
    entry_id: lines.has(String(position)) ? String(position) : null,
    command_id: metadata.command_id,
    correlation_id: metadata.correlation_id,
  }));
}

function actorShown(metadata: EventMetadata, names: ReadonlyMap<string, string>): ReplayStep['actor'] {
  const { id, ...actor } = actorOf(metadata);
  return { ...actor, account: id === null ? null : { id, acct: names.get(id) ?? null } };
}
