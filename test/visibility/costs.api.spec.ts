import { expect } from 'chai';
import { status } from '#commands/statuses/status.ts';
import { StatusCreated, type StatusData, type StatusEvent, statusStream } from '#events/statuses.ts';
import { projections } from '#projections/index.ts';
import { describeTown, type Person } from '../support/people.ts';

const MANY = 3_000;

describeTown('Blocking or muting an account with very many posts', function (town) {
  this.timeout(240_000);
  let reader: Person;
  before(async () => {
    reader = await town.person('reader');
  });

  /**
   * Appends as fast as the log allows; every hundredth post is a message to the reader, all in one thread.
   */
  const write = async (author: Person, count: number): Promise<void> => {
    const thread = town.app.systemContext('spec').newId();
    for (let from = 0; from < count; from += 500) {
      await Promise.all(
        Array.from({ length: Math.min(500, count - from) }, async (_, index) => {
          const ctx = town.app.systemContext('spec');
          const direct = index % 100 === 0;
          const id = ctx.newId();
          const data: StatusData = {
            ...(StatusCreated.samples[2] as unknown as StatusData),
            id,
            account_id: author.id,
            created_at: ctx.now,
            poll: null,
            tags: [],
            uri: `https://rookery.example/s/${id}`,
            visibility: direct ? 'direct' : 'public',
            conversation_id: direct ? thread : id,
            mentions: direct
              ? [
                  {
                    id: reader.id,
                    username: 'reader',
                    acct: 'reader',
                    url: 'https://rookery.example/@reader',
                  },
                ]
              : [],
          };
          const event: StatusEvent = { type: 'StatusCreated', data };
          await ctx.execute(statusStream(id), status, () => [event], { isNew: true });
        }),
      );
    }
    await town.waitUntilIdle();
  };
  /** Returns the number of rows in all read models, and how many were written in later transactions. */
  const rowsSince = async (transaction: string): Promise<{ all: number; written: number }> => {
    const counts = projections
      .flatMap(({ tables }) => Object.keys(tables))
      .map(
        (table) =>
          `select count(*) as a, count(*) filter (where xmin::text::bigint >= ${transaction}) as w from ${table}`,
      );
    const [row] = await town.app.db.query<{ a: string; w: string }>(
      `select sum(a) as a, sum(w) as w from (${counts.join(' union all ')}) t`,
    );
    return { all: Number(row?.a), written: Number(row?.w) };
  };
  const nextTransaction = async (): Promise<string> => {
    const [row] = await town.app.db.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
    return row?.xid ?? '';
  };
  /** Returns what an action of the reader writes: events, and rows that are new, changed or gone. */
  const costOf = async (act: () => Promise<unknown>): Promise<{ events: number; rows: number }> => {
    await town.waitUntilIdle();
    const [events, transaction] = [await town.events(), await nextTransaction()];
    const before = await rowsSince(transaction);
    await act();
    await town.waitUntilIdle();
    const after = await rowsSince(transaction);
    const gone = before.all + after.written - after.all;
    return { events: Number((await town.events()) - events), rows: after.written + Math.max(0, gone) };
  };
  const follow = (author: Person) => reader.post(`/api/v1/accounts/${author.id}/follow`);
  const authorsAt = async (path: string): Promise<string[]> =>
    (await reader.get<{ account: { username: string } }[]>(path)).json.map(({ account }) => account.username);
  const SURFACES = ['/api/v1/timelines/home', '/api/v1/timelines/public'];

  for (const mark of ['block', 'mute']) {
    it(`needs as many writes as for an account with few posts, and takes effect at once: ${mark}`, async () => {
      const much = await town.person(`much_${mark}`);
      const little = await town.person(`little_${mark}`);
      await follow(much);
      await follow(little);
      await write(much, MANY);
      await write(little, 2);
      for (const path of SURFACES) expect(await authorsAt(path), path).to.include(much.username);

      const ofLittle = await costOf(() => reader.post(`/api/v1/accounts/${little.id}/${mark}`));
      const ofMuch = await costOf(() => reader.post(`/api/v1/accounts/${much.id}/${mark}`));
      expect(ofMuch).to.deep.equal(ofLittle);
      expect(ofMuch.events).to.be.within(1, 2);
      expect(ofMuch.rows).to.be.below(20);
      for (const path of [...SURFACES, '/api/v1/notifications', '/api/v2/notifications']) {
        expect(JSON.stringify((await reader.get(path)).json), path).not.to.include(much.username);
      }
      expect((await reader.get('/api/v1/conversations')).json).to.deep.equal([]);
    });
  }
});
