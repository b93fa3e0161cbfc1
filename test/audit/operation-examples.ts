import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { Town } from '../support/people.ts';

/** Makes `polls` stand before its newest event, as if it had rejected it. Returns that event's position. */
export async function haltedIn(town: Town): Promise<string> {
  await town.waitUntilIdle();
  const [row] = await town.app.projectionDb.query<{ position: string }>(
    `update durable.projections set halted = true, failure = null, position = position - 1 where name = 'polls'
     returning position + 1 as position`,
  );
  return row?.position ?? '';
}

/** Raises an alert, because the server itself finds nothing in this town to raise. */
export async function alertIn(town: Town): Promise<{ id: string }> {
  const id = town.app.contextDependencies.newId();
  await town.app.db.query(
    `insert into durable.alerts (id, name, subject, detail, raised_at, resolved_at)
     values ($1, 'deliveries_failing', 'big.example', 'connection refused', now(), now())`,
    [id],
  );
  return { id };
}

/** Builds read models of the past by a request. */
export async function pastBuildIn(
  town: Town,
  post: (path: string, body: object) => Promise<unknown>,
): Promise<{ id: string }> {
  const position = '7';
  // Another one may be under way.
  await eventually(() => post('as_of', { when: position }));
  await eventually(async () => {
    const builds = await town.app.contextDependencies.services.pastBuilds.list();
    expect(builds.find((build) => build.position === position)?.state).to.equal('ready');
  });
  return { id: position };
}
