import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { StatusReblogged } from '#events/interactions.ts';
import type { ReadModel, ReadModelDetails } from '#kernel/services/read-models.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

/** Fields of a reblog that some read models cannot handle. `id` is that of the post. */
const POISONS: readonly [name: string, fields: (id: string) => Record<string, unknown>][] = [
  ['a broken date', () => ({ created_at: 'never' })],
  ['a missing field', () => ({ account_id: undefined })],
  ['a number that is too large', () => ({ id: '99999999999999999999' })],
  ['a key that is taken', (id) => ({ id })],
];

describeTown('An event that read models cannot handle', function (town) {
  this.timeout(60_000);
  let boss: Person;
  let alice: Person;
  before(async () => {
    boss = await town.staff('boss', 'Owner');
    alice = await town.person('alice');
  });

  const health = async (): Promise<unknown> => {
    const response = await fetch(`${town.url}/health`, { headers: { Accept: 'application/json' } });
    return response.json();
  };
  const models = async (): Promise<ReadModel[]> =>
    (await boss.get<ReadModel[]>('/api/v1/admin/projections')).json;
  /** Appends a reblog with odd fields. Returns its position. */
  const poison = async (fields: (id: string) => Record<string, unknown>): Promise<string> => {
    const { json: post } = await alice.post<{ id: string }>('/api/v1/statuses', { status: 'Fine' });
    await town.waitUntilIdle();
    const reblog = {
      ...StatusReblogged.samples[1],
      id: `${BigInt(post.id) + 2n}`,
      account_id: boss.id,
      status_id: post.id,
      status_account_id: alice.id,
      ...fields(post.id),
    };
    const metadata = { time: new Date().toISOString(), command_id: 'c', correlation_id: 'r', $version: 1 };
    const { position } = await town.app.store.append(`interaction-${boss.id}-${post.id}`, -1, [
      {
        id: randomUUID(),
        type: 'StatusReblogged',
        data: JSON.stringify(reblog),
        metadata: JSON.stringify(metadata),
      },
    ]);
    return String(position);
  };

  for (const [name, fields] of POISONS) {
    it(`halts those alone and lets the others go on, for ${name}`, async () => {
      const position = await poison(fields);
      const halted = await eventually(async () => {
        const now = await models();
        const still = now.filter(({ state }) => state === 'halted');
        expect(still).not.to.have.length(0);
        expect(
          now.every((each) => each.state === 'halted' || BigInt(each.position) >= BigInt(position)),
        ).to.equal(true);
        return still;
      });
      expect(halted.map(({ failure }) => failure?.position)).to.deep.equal(halted.map(() => position));
      const names = halted.map((each) => each.name).toSorted();
      // Sessions and tokens read `accounts`.
      const state = names.includes('accounts')
        ? { status: 'DOWN', failing: ['projections'] }
        : { status: 'DEGRADED' };
      expect(await health()).to.deep.equal({ ...state, halted: names });
      expect((await alice.post('/api/v1/lists', { title: 'Friends' })).status).to.equal(200);
      const [first] = halted;
      const { json: shown } = await boss.get<ReadModelDetails>(`/api/v1/admin/projections/${first?.name}`);
      expect(shown.event?.type).to.equal('StatusReblogged');
      expect(shown.tables.length).to.be.above(0);

      for (const { name: model, failure } of halted) {
        const path = `/api/v1/admin/projections/${model}/skip`;
        const refused = await boss.post<{ error: string }>(path, { position: '1', reason: 'A drill' });
        expect([refused.status, refused.json.error]).to.deep.equal([
          422,
          `The read model ${model} stands at the event ${failure?.event_type} at ${position}: it skips only that one`,
        ]);
        for (let times = 0; times < 2; times += 1) {
          const { status, json } = await boss.post<ReadModel>(path, { position, reason: 'A drill' });
          expect(status, JSON.stringify(json)).to.equal(200);
          expect(json.skipped.map((each) => each.position)).to.include(position);
        }
      }
      await eventually(async () => expect(await health()).to.deep.equal({ status: 'UP' }));
      const { json: post } = await alice.post<{ id: string }>('/api/v1/statuses', { status: 'After' });
      expect((await alice.get(`/api/v1/statuses/${post.id}`)).status).to.equal(200);
    });
  }

  it('is skipped again after it was to be taken again, and left out by the next rebuild', async () => {
    const lacking = (await models()).find(({ skipped }) => skipped.length > 0) ?? expect.fail('None skipped');
    const path = `/api/v1/admin/projections/${lacking.name}`;
    const position = lacking.skipped[0]?.position;
    const taken = await boss.post<ReadModel>(`${path}/unskip`, { position });
    expect(taken.json.lacks.map((each) => each.position)).to.deep.equal([position]);
    for (let times = 0; times < 2; times += 1) {
      const { status, json } = await boss.post<ReadModel>(`${path}/skip`, { position, reason: 'After all' });
      expect(status, JSON.stringify(json)).to.equal(200);
      const skipped = json.skipped.find((each) => each.position === position);
      expect([skipped?.reason, json.lacks]).to.deep.equal(['After all', []]);
    }
    const built = await rookeryBeside(town.app, 'projections', 'rebuild', lacking.name);
    expect(built, built.stderr).to.include({ code: 0 });
    const { json: after } = await boss.get<ReadModel>(path);
    expect([after.state, after.skipped.map((each) => each.position)]).to.deep.equal([
      'following',
      lacking.skipped.map((each) => each.position),
    ]);
  });

  it('is skipped only where it halts a read model, for a reason, and by name', async () => {
    const [model] = await models();
    const head = String(await town.app.log.head());
    for (const position of ['1', head, String(BigInt(head) + 1n)]) {
      const taken = await boss.post<{ error: string }>('/api/v1/admin/projections/polls/skip', {
        position,
        reason: 'Hm',
      });
      expect([taken.status, taken.json.error]).to.deep.equal([
        422,
        'The read model polls stands at no event: it skips only the event that halts it',
      ]);
    }
    const unnamed = await boss.post('/api/v1/admin/projections/nothing/skip', {
      position: '1',
      reason: 'Hm',
    });
    expect(unnamed.status).to.equal(404);
    const blank = await boss.post('/api/v1/admin/projections/polls/skip', { position: '1', reason: ' ' });
    expect(blank.status).to.equal(422);
    const never = await boss.post('/api/v1/admin/projections/polls/unskip', { position: '1' });
    expect(never.status).to.equal(404);
    expect((await boss.get(`/api/v1/admin/projections/${model?.name}`)).status).to.equal(200);
    const typed = await rookeryBeside(town.app, 'projections', 'skip', 'polls', head, '--reason', 'Hm');
    expect([typed.code, typed.stderr]).to.deep.equal([
      64,
      'The read model polls stands at no event: it skips only the event that halts it\n',
    ]);
  });

  it('is retried only where it halts a read model', async () => {
    await town.waitUntilIdle();
    const head = await town.app.log.head();
    const { status, json } = await boss.post<ReadModel>('/api/v1/admin/projections/polls/retry');
    expect([status, json.state]).to.deep.equal([200, 'following']);
    const unnamed = await boss.post('/api/v1/admin/projections/nothing/retry');
    expect(unnamed.status).to.equal(404);
    const typed = await rookeryBeside(town.app, 'projections', 'retry');
    expect([typed.code, typed.stderr]).to.deep.equal([1, 'No read model is halted\n']);
    expect(await town.app.log.head()).to.equal(head);
  });

  it('is for owners only', async () => {
    const admin = await town.staff('admin', 'Admin');
    expect((await admin.get('/api/v1/admin/projections')).status).to.equal(403);
    await expectScope(town, boss, (client) => client.get('/api/v1/admin/projections'), {
      enough: ['admin:read'],
      others: ['read', 'write'],
    });
  });
});
