import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { StatusReblogged } from '../../src/events/interactions.ts';
import type { AdminProjectionRun } from '../../src/mastodon/schemas/index.ts';
import { eventually } from '../support/eventually.ts';
import type { Person, Town } from '../support/people.ts';

/** Appends a reblog with a broken date, which some read models cannot handle. @returns its position */
export async function poison(town: Town, by: Person): Promise<string> {
  const { json: post } = await by.post<{ id: string }>('/api/v1/statuses', { status: 'Fine' });
  await town.waitUntilIdle();
  const reblog = {
    ...StatusReblogged.samples[1],
    ...{ id: `${BigInt(post.id) + 2n}`, account_id: by.id, status_id: post.id, status_account_id: by.id },
    created_at: 'never',
  };
  const metadata = { time: new Date().toISOString(), command_id: 'c', correlation_id: 'r', $version: 1 };
  const { position } = await town.app.store.append(`interaction-${by.id}-${post.id}`, -1, [
    {
      ...{ id: randomUUID(), type: 'StatusReblogged', data: JSON.stringify(reblog) },
      metadata: JSON.stringify(metadata),
    },
  ]);
  return String(position);
}

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
