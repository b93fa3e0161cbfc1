import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { catalogue } from '#events/index.ts';
import type { AnyEvent, JsonObject } from '#kernel/event.ts';
import type { Projection } from '#kernel/projection.ts';
import { reportStrays } from '#kernel/stray-rejections.ts';
import { projections } from '#projections/index.ts';
import { type Codec, createCodec } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import type { EventLog, EventStore } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { openNotifications } from '#storage/postgres/notifications.ts';
import { applyBatch, handlersOf } from '#storage/postgres/projector/apply.ts';
import { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';
import type { Failure } from '#storage/postgres/projector/failures.ts';
import {
  askProjectorsToRetry,
  type Projector,
  startProjector,
} from '#storage/postgres/projector/projector.ts';
import { storeSkip } from '#storage/postgres/projector/skips.ts';
import { verify } from '#storage/postgres/rebuild/rebuild.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually, PATIENCE } from '../support/eventually.ts';
import { poisonsOf } from '../support/poisons.ts';

const GROUPS = [...new Set(projections.map(({ group }) => group))];

/** A payload, and the read models that reject it. */
interface Poison {
  type: string;
  data: JsonObject;
  rejectedBy: string[];
}

describe('Each handler of each read model, given an event that it cannot take', function () {
  this.timeout(300_000);
  let db: Database;
  let store: EventStore;
  let codec: Codec;
  let log: EventLog;
  let checkpoints: Checkpoints;
  let projector: Projector | undefined;
  let close = (): Promise<unknown> => Promise.resolve();
  const errors: unknown[] = [];
  const strays = new Map<string, number>();

  before(async () => {
    reportStrays((owner) => strays.set(owner, (strays.get(owner) ?? 0) + 1));
    const url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 10, applicationName: 'poison', statementTimeout: 0, gather: true });
    store = await openPostgresEventStore(url);
    const none = { keyFor: () => Promise.reject(new Error()), load: () => Promise.resolve(new Map()) };
    codec = createCodec(catalogue, none);
    log = createEventLog(store, codec);
    checkpoints = new Checkpoints(db);
    const notifications = await openNotifications(url);
    projector = await startProjector({
      projections,
      log,
      db,
      checkpoints,
      notifications,
      program: '1',
      onFailure: () => undefined,
      onError: (error) => errors.push(error),
    });
    close = async () => {
      await projector?.stop();
      checkpoints.close();
      await notifications.close();
      await log.close();
      await db.close();
    };
  });
  after(() => close());

  const METADATA = '{"time":"2026-11-21T08:00:00.000Z","command_id":"c","correlation_id":"r"}';
  const append = async (type: string, data: JsonObject): Promise<bigint> => {
    const event = { id: randomUUID(), type, data: JSON.stringify(data), metadata: METADATA };
    return (await store.append(`poison-${event.id}`, -1, [event])).position;
  };
  /** Applies the payload to one read model alone, and undoes that. */
  const rejects = async ({ handlers }: Projection, type: string, data: JsonObject): Promise<boolean> => {
    const stored = { id: randomUUID(), type, data: JSON.stringify(data), metadata: METADATA };
    const events = await codec.decode([{ ...stored, position: 1n, stream: 'poison-1', revision: 0 }]);
    const undone = new Error('undone');
    const error: unknown = await db
      .transaction(async (transaction) => {
        await applyBatch(handlersOf({ handlers }), events, transaction);
        throw undone;
      })
      .catch((reason: unknown) => reason);
    return error !== undone;
  };
  /** For each event, the fewest payloads that all read models reject which reject any. */
  const poisonsFor = async (definition: AnyEvent): Promise<Poison[]> => {
    const { type } = definition;
    const takers = projections.filter(({ handlers }) => handlers.some((each) => each.type === type));
    const left = new Set(takers.map(({ name }) => name));
    const poisons: Poison[] = [];
    for (const data of Object.values(poisonsOf(definition))) {
      if (left.size === 0) break;
      const rejectedBy: string[] = [];
      for (const taker of takers) if (await rejects(taker, type, data)) rejectedBy.push(taker.name);
      if (!rejectedBy.some((name) => left.has(name))) continue;
      for (const name of rejectedBy) left.delete(name);
      poisons.push({ type, data, rejectedBy });
    }
    return poisons;
  };
  const states = (): Promise<
    { name: string; position: string; halted: boolean; failure: Failure | null }[]
  > => db.query('select name, position, halted, failure from durable.projections order by name');

  it('halts its read model alone at that event, and goes on without it', async () => {
    const expected: Record<string, string[]> = Object.fromEntries(projections.map(({ name }) => [name, []]));
    let head = 0n;
    for (const definition of catalogue) {
      for (const { type, data, rejectedBy } of await poisonsFor(definition)) {
        head = await append(type, data);
        for (const name of rejectedBy) expected[name]?.push(`${head} ${type}`);
      }
    }
    // Each read model rejects something, so nothing passes by chance.
    expect(Object.keys(expected).filter((name) => expected[name]?.length === 0)).to.deep.equal([]);
    for (const group of GROUPS) expect(await checkpoints.reached(group, head, PATIENCE)).to.equal(true);

    const met: Record<string, string[]> = Object.fromEntries(projections.map(({ name }) => [name, []]));
    for (;;) {
      const halted = await eventually(async () => {
        const now = await states();
        const standing = now.filter(({ halted: is }) => is);
        const fresh = standing.filter(
          ({ name, failure }) => failure && !met[name]?.includes(`${failure.position} ${failure.event_type}`),
        );
        expect(standing.length, JSON.stringify(standing)).to.equal(fresh.length);
        return fresh;
      });
      if (halted.length === 0) break;
      for (const { name, failure } of halted) {
        const { position = '', event_id = '', event_type = '', projection } = failure ?? {};
        expect(projection).to.equal(name);
        met[name]?.push(`${position} ${event_type}`);
        await storeSkip(db, { name, position, event_id, event_type, reason: 'a spec' });
      }
      await askProjectorsToRetry(db);
    }
    expect(met).to.deep.equal(expected);
    await eventually(async () => {
      const behind = (await states()).filter(({ position }) => BigInt(position) < head);
      expect(behind.map(({ name }) => name)).to.deep.equal([]);
    });
    expect(errors).to.deep.equal([]);
    expect(projector?.failures()).to.deep.equal([]);
  });

  it('leaves no rejected promise behind', () => {
    expect(Object.fromEntries(strays)).to.deep.equal({});
  });

  it('is left out of a build as well', async () => {
    expect(await verify({ projections, log, db })).to.deep.equal([]);
  });
});
