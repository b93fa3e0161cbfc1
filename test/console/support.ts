import { expect } from 'chai';
import type { Db } from '#kernel/read.ts';
import type { AdminProjection, AdminProjectionRun } from '#mastodon/schemas/index.ts';
import { eventually } from '../support/eventually.ts';
import type { Person, Town } from '../support/people.ts';
import { statementsOfRequests } from '../support/statements.ts';

/**
 * Lets the table of the read model `markers` refuse positions of the home timeline, moves to one, and waits until the
 * read model is halted. @returns the position of the event
 */
export async function haltMarkers(town: Town, by: Person): Promise<string> {
  await town.app.projectionDb.query(
    'alter table markers add constraint refused check (home is null) not valid',
  );
  const { json: post } = await by.post<{ id: string }>('/api/v1/statuses', { status: 'Read this' });
  await by.post('/api/v1/markers', { home: { last_read_id: post.id } });
  return eventually(async () => {
    const { json } = await by.get<AdminProjection>('/api/v1/admin/projections/markers');
    expect(json.state).to.equal('halted');
    return json.failure?.position ?? '';
  });
}

/** Undoes what `haltMarkers` did to the table; the read model still has to try again. */
export const mendMarkers = (town: Town): Promise<unknown> =>
  town.app.projectionDb.query('alter table markers drop constraint refused');

/** Sets an event aside as a reactor does that cannot handle it: the newest post. @returns its id */
export async function setAside(town: Town, reactor: string): Promise<string> {
  await town.waitUntilIdle();
  const events = await town.app.log.readAll(0n, 1_000);
  const event = events.findLast(({ type }) => type === 'StatusCreated') ?? expect.fail('no post');
  await town.app.db.query(
    `insert into durable.set_aside_events (reactor, event_id, event_type, stream, position, attempts, error)
     values ($1, $2, $3, $4, $5, 5, 'The mail server said <no>')`,
    [reactor, event.id, event.type, event.stream, String(event.position)],
  );
  return event.id;
}

/**
 * Does the work while a timer has these columns (PL/pgSQL, `new.error := 'x';`), also when the server stores the states
 * of its timers in between.
 */
export async function withTimer(
  { app: { db } }: Town,
  name: string,
  columns: string,
  work: () => Promise<void>,
): Promise<void> {
  await db.query(`create function spec_timer() returns trigger language plpgsql
    as $$ begin ${columns} return new; end $$`);
  await db.query(`create trigger spec_timer before insert or update on durable.timers
    for each row when (new.name = '${name}') execute function spec_timer()`);
  await db.query(
    `insert into durable.timers (name, seen_at) values ($1, now())
     on conflict (name) do update set seen_at = excluded.seen_at`,
    [name],
  );
  try {
    await work();
  } finally {
    await db.query('drop function spec_timer cascade');
  }
}

/** Waits until a build has ended, and returns it. */
export const ended = (person: Person, id: string): Promise<AdminProjectionRun> =>
  eventually(async () => {
    const { json } = await person.get<AdminProjectionRun>(`/api/v1/admin/projections/runs/${id}`);
    expect(json.state).not.to.equal('running');
    return json;
  });

/** Queues a delivery to a host that does not answer for a long time. */
export async function queueFor(town: Town, host: string): Promise<void> {
  await town.app.db.query(
    `insert into durable.federation_hosts (host, failures, down_since, retry_at, last_failure_at, last_failure, failed, average_ms)
     values ($1, 3, now(), now() + interval '1 hour', now(), 'answers 503', 3, 1500)`,
    [host],
  );
  await town.app.db.query(
    `with activity as (
       insert into durable.federation_activities (key, sender, actor, document)
       values ('spec-' || $1, 1, 'https://here.example/users/alice', '{"type":"Create"}') returning id)
     insert into durable.federation_deliveries (activity_id, inbox, host, subject, attempts, due_at)
     select id, 'https://' || $1 || '/inbox', $1, 'spec', 3, now() + interval '1 hour' from activity`,
    [host],
  );
}

/** Does the work while the server sends no deliveries. A delivery that is being sent cannot be given up. */
export async function withoutSending(town: Town, work: () => Promise<void>): Promise<void> {
  const { deliveries } = town.app.federation;
  await deliveries.stop();
  try {
    await work();
  } finally {
    await deliveries.start();
  }
}

/** The statements of the counts in the menu, which every page of the console has. */
export const MENU = ['admin_waiting', 'admin_trouble', 'timers_list'];

/** Returns the names of the statements of a page of the console, without those of its menu. */
export async function statementsOfPage(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  const names = await statementsOfRequests(db, work);
  for (const name of MENU) {
    const index = names.indexOf(name);
    if (index !== -1) names.splice(index, 1);
  }
  return names;
}
