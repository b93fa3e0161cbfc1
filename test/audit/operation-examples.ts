import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { Town } from '../support/people.ts';

/** Makes `polls` stand at its newest event. Returns that event's position. */
export async function haltedIn(town: Town): Promise<string> {
  await town.waitUntilIdle();
  const [row] = await town.app.projectionDb.query<{ position: string }>(
    `update durable.projections p set halted = true, position = e.position - 1, failure = jsonb_build_object(
         'projection', p.name, 'position', e.position::text, 'event_id', e.id, 'event_type', e.type, 'error', 'Spec')
     from eventlog.events e where p.name = 'polls' and e.position = p.position returning e.position`,
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

/** Waits for the end of the build of a read model that is under way. */
export async function noRunIn({ app }: Town): Promise<object> {
  await eventually(async () => {
    const runs = await app.contextDependencies.services.readModels.runs({ limit: 1 });
    expect(runs.every(({ state }) => state !== 'running')).to.equal(true);
  });
  return {};
}
