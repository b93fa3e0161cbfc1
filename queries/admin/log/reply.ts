import { type Db, statement } from '#kernel/read.ts';
import type { LoggedEvent } from '#kernel/services/event-browser.ts';
import type { AdminEvent } from '#mastodon/schemas/index.ts';

const NAMES = statement<{ id: string; username: string }>(
  'log_actor_names',
  'select id, username from accounts where id = any($1) and domain is null',
);

/**
 * Returns events as the API shows them. Personal fields are left out unless `personal`: they include private posts
 * and addresses.
 */
export async function eventReplies(
  db: Db,
  events: readonly LoggedEvent[],
  { personal = false }: { personal?: boolean } = {},
): Promise<AdminEvent[]> {
  const ids = new Set(events.flatMap(({ metadata }) => metadata.actor?.account_id ?? []));
  const rows = ids.size === 0 ? [] : await db.query(NAMES, [[...ids]]);
  const names = new Map(rows.map(({ id, username }) => [id, username]));
  return events.map((event) => eventReply(event, names, personal));
}

function eventReply(event: LoggedEvent, names: ReadonlyMap<string, string>, shown: boolean): AdminEvent {
  const { position, stream, revision, id, type, metadata, data, personal } = event;
  const { actor } = metadata;
  const hidden = new Set(personal && !shown ? personal.fields : []);
  return {
    position,
    stream,
    revision,
    id,
    type,
    time: metadata.time,
    actor: actor
      ? { id: actor.account_id, username: names.get(actor.account_id) ?? null, role: actor.role ?? null }
      : null,
    application_id: metadata.application_id ?? null,
    remote: metadata.remote ?? null,
    rule: metadata.rule ?? null,
    command_id: metadata.command_id,
    correlation_id: metadata.correlation_id,
    causation_id: metadata.causation_id ?? null,
    personal: personal && { ...personal, shown },
    data: data && Object.fromEntries(Object.entries(data).filter(([name]) => !hidden.has(name))),
  };
}
