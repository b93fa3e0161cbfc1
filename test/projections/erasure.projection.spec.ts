import { expect } from 'chai';
import { catalogue } from '#events/index.ts';
import type { DomainEvent, EventDefinition, JsonObject } from '#kernel/event.ts';
import type { Projection } from '#kernel/projection.ts';
import { projections } from '#projections/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { applyBatch, createIndexes, createTables, handlersOf } from '#storage/postgres/projector/apply.ts';
import { asRecorded, openScratchDatabase } from '../support/projection.ts';

const SCHEMA = 'erasure_spec';
const CANARY = 'canary';

type Definition = EventDefinition<string, JsonObject>;
const definitions: readonly Definition[] = catalogue;
/** Personal data with a key of its own, which other events erase. */
const OF_THINGS = new Set(['IpBlocked', 'IpBlockChanged']);
const personal = definitions.filter((each) => each.personal && !OF_THINGS.has(each.type));

/** A sample in which all personal texts are canaries. */
function planted({
  type,
  version,
  samples,
  personal: fields,
}: Definition): DomainEvent & { data: JsonObject } {
  const data = structuredClone(samples[version] ?? {});
  for (const [field, erasedValue] of Object.entries(fields?.erased ?? {})) {
    // A field that only reports a change may be absent.
    if (typeof (data[field] ?? erasedValue) === 'string') data[field] = `${CANARY} ${field}`;
  }
  return { type, data };
}

const samples = personal.map((definition) => ({ definition, event: planted(definition) }));
const clear: DomainEvent[] = samples.map(({ event }) => event);
const erased: DomainEvent[] = samples.map(({ definition, event }) => ({
  type: event.type,
  data: { ...event.data, ...definition.personal?.erased },
}));
const subjects = [
  ...new Set(samples.map(({ definition, event }) => definition.personal?.subject(event.data) ?? '')),
];

const dataOf = (type: string): JsonObject[] =>
  samples.filter(({ event }) => event.type === type).map(({ event }) => event.data);

/** The events of an erasure before its last one. */
const takenBack: DomainEvent[] = [
  ...dataOf('StatusCreated').map((data) => ({
    type: 'StatusDeleted',
    data: {
      id: data['id'],
      account_id: data['account_id'],
      visibility: data['visibility'],
      in_reply_to_id: data['in_reply_to_id'],
    },
  })),
  ...dataOf('ReplyRequested').map((data) => ({
    type: 'ReplyRequestEnded',
    data: {
      id: data['id'],
      account_id: data['account_id'],
      asked_account_id: data['asked_account_id'],
      reason: 'withdrawn',
    },
  })),
];
const end: DomainEvent[] = subjects.map((account_id) => ({
  type: 'PersonalDataErased',
  data: { account_id },
}));

describe('The rows of an erased user in read models', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('are checked for every event with personal fields', () => {
    expect(personal.length).to.be.greaterThan(15);
    expect(clear.map(({ type }) => type)).to.include.members([
      'StatusCreated',
      'StatusEdited',
      'UserRegistered',
    ]);
  });

  for (const projection of projections) {
    it(`contain nothing that they wrote in ${projection.name}, and are the same after a rebuild`, async () => {
      const live = await rowsAfter(db, projection, [...clear, ...takenBack, ...end]);
      const rebuilt = await rowsAfter(db, projection, [...erased, ...takenBack, ...end]);
      expect(live).to.deep.equal(rebuilt);
      expect(live.filter((row) => row.includes(CANARY))).to.deep.equal([]);
    });
  }
});

describe('The data of an erased user', () => {
  /** Tables that keep rows of the account, with the reason. */
  const KEPT: Record<string, string> = {
    account_warnings: 'what staff did, without the words',
    appeals: 'that he appealed, and how it ended, without the words',
    audit_entries: 'what staff did; no words',
    follow_requests: 'each ends by an event of its own',
    follow_uris: 'each ends by an event of its own',
    follows: 'each ends by an event of its own',
    home_follows: 'each ends by an event of its own',
    notification_follows: 'each ends by an event of its own',
    reports: 'they are about others; without the comment',
    statuses: 'deleted, and empty',
  };
  const ID = '109500000000000000';
  /** Types that other events need before them. */
  const BEFORE = new Set(['AccountCreated', 'StatusCreated', 'AnnouncementCreated', 'FilterCreated']);
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('leaves every table that has it by account, except the reviewed ones', async function () {
    this.timeout(60_000);
    const everything = definitions.map(({ type, version, samples }) => ({
      type,
      data: samples[version] ?? {},
    }));
    const kept = new Set<string>();
    for (const projection of projections) {
      const taken = new Set(projection.handlers.map((handler) => handler.type));
      for (const event of everything.filter(({ type }) => taken.has(type))) {
        const before = everything.filter(({ type }) => BEFORE.has(type) && type !== event.type);
        const rows = await rowsAfter(db, projection, [...before, event, ...takenBack, ...end]);
        const mine = rows.filter((row) => row.includes(`"account_id": ${ID}`));
        for (const row of mine) kept.add(row.split(' ')[0] ?? '');
      }
    }
    expect([...kept].sort()).to.deep.equal(Object.keys(KEPT).sort());
  });
});

/** Each row of each table as text. */
async function rowsAfter(
  db: Database,
  projection: Projection,
  events: readonly DomainEvent[],
): Promise<string[]> {
  return db.transaction(async (transaction) => {
    await transaction.query(`create schema ${SCHEMA}`);
    await transaction.query(`set local search_path = ${SCHEMA}`);
    await createTables(projection, SCHEMA, transaction);
    await createIndexes(projection, transaction);
    await applyBatch(handlersOf(projection), events.map(asRecorded), transaction);
    const rows: string[] = [];
    for (const table of Object.keys(projection.tables)) {
      const found = await transaction.query<{ row: string }>(
        `select '${table} ' || to_jsonb(t)::text as row from ${table} t order by 1`,
      );
      rows.push(...found.map(({ row }) => row));
    }
    await transaction.query(`drop schema ${SCHEMA} cascade`);
    return rows;
  });
}
