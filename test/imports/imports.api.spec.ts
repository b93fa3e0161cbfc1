import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { beginImport, failuresCsv } from '#commands/imports/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { LARGEST_ID } from '#kernel/ids.ts';
import type { ImportRow } from '#kernel/services/imports.ts';
import { surplusOf } from '#queries/imports.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { exported, importFor } from './scene.ts';

describeTown('Imports', function (town) {
  this.timeout(60_000);
  let me: Person;
  let [ada, bob, cyn]: Person[] = [];

  before(async function () {
    this.timeout(120_000);
    [ada, bob, cyn] = [await town.person('ada'), await town.person('bob'), await town.person('cyn')];
  });
  let count = 0;
  beforeEach(async () => {
    me = await town.person(`me${(count += 1)}`);
  });

  const idOf = (person: Person | undefined): string => person?.id ?? '';
  const refusal = (begun: Promise<unknown>): Promise<string> =>
    begun.then(
      () => 'none',
      (error: unknown) => (error instanceof RookeryError ? error.message : String(error)),
    );
  const names = async (path: string): Promise<string[]> =>
    (await ok(me.get<{ username: string }[]>(path))).map(({ username }) => username).sort();
  const relation = async (person: Person | undefined) =>
    (await ok(me.get<Record<string, unknown>[]>(`/api/v1/accounts/relationships?id[]=${idOf(person)}`)))[0];

  it('merge with existing entries, and list failed rows with the reason', async () => {
    await ok(me.post(`/api/v1/accounts/${idOf(cyn)}/follow`));
    const csv = `@ada\nbob@rookery.example\n${me.username}\nnobody\nada\nx@nowhere.invalid\n`;
    const { done, failed } = await importFor(town.app, me.id, 'following', csv);
    expect(done).to.equal(2);
    const none = 'There is no such account, or its server does not answer';
    expect(failed).to.deep.equal([
      { line: 3, value: me.username, reason: 'This is your own account' },
      { line: 4, value: 'nobody', reason: none },
      { line: 6, value: 'x@nowhere.invalid', reason: none },
    ]);
    expect(await names(`/api/v1/accounts/${me.id}/following`)).to.deep.equal(['ada', 'bob', 'cyn']);
  });

  it('are limited to ten files and 60,000 rows in 24 hours, unless the operator starts them', async () => {
    const { imports } = town.app.contextDependencies.services;
    const rows = (count: number): ImportRow[] =>
      Array.from({ length: count }, (_, line) => ({
        line,
        value: `a${line}.example`,
        key: `a${line}.example`,
        list: null,
        settings: {},
      }));
    const { app } = town;
    const begin = async (account_id: string, count: number, byOperator = false): Promise<string> => {
      const id = app.systemContext('spec').newId();
      const input = { id, account_id, type: 'domain-blocks' as const, overwrite: false, byOperator };
      await imports.begin(input, rows(count), []);
      await imports.finish(id);
      return id;
    };
    const other = await town.person('importer');
    for (let file = 0; file < 3; file += 1) await begin(me.id, 20_000);
    expect(await refusal(begin(me.id, 1))).match(/60000 rows in 24 hours/);
    // The limit is checked before the file, which is invalid, is read.
    const file = { type: 'blocks', overwrite: false, file: Buffer.from('"bob') } as const;
    const unread = beginImport(app.systemContext('spec'), { account_id: me.id, ...file });
    expect(await refusal(unread)).match(/60000 rows in 24 hours/);
    for (let file = 0; file < 10; file += 1) await begin(other.id, 1);
    expect(await refusal(begin(other.id, 1))).match(/10 files in 24 hours/);
    await begin(other.id, 1, true);
    await app.db.query(`update durable.imports set begun_at = begun_at - interval '25 hours'`);
    const id = await begin(me.id, 1_500);
    expect(await imports.find(id)).deep.include({ total: 1_500, failed: 0 });
    expect(await imports.waiting(id, 2_000)).to.have.length(1_500);
  });

  it('are counted together when they begin at the same moment', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => {
        const id = town.app.systemContext('spec').newId();
        const input = { id, account_id: me.id, type: 'domain-blocks' as const, overwrite: false };
        return town.app.contextDependencies.services.imports.begin(input, [], []);
      }),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(5);
  });

  it('list failures as a table', async () => {
    await importFor(town.app, me.id, 'lists', '=1,nobody\nFriends,ada\n');
    const { imports } = town.app.contextDependencies.services;
    const [{ id } = { id: '' }] = await imports.of(me.id);
    expect(await text(Readable.from(failuresCsv(imports, id)))).to.equal(
      'Line,List name,Value,Reason\r\n1,\'=1,nobody,"There is no such account, or its server does not answer"\r\n',
    );
    expect(await ok(me.get<{ title: string }[]>('/api/v1/lists'))).to.have.length(2);
  });

  it('remove accounts and domains that are not in the file, in overwrite mode', async () => {
    for (const who of [ada, bob]) await ok(me.post(`/api/v1/accounts/${idOf(who)}/follow`));
    await importFor(town.app, me.id, 'following', 'Bob\ncyn\n', true);
    expect(await names(`/api/v1/accounts/${me.id}/following`)).to.deep.equal(['bob', 'cyn']);
    for (const type of ['block', 'mute']) {
      await ok(me.post(`/api/v1/accounts/${idOf(ada)}/${type}`));
      await importFor(town.app, me.id, type === 'block' ? 'blocks' : 'mutes', 'bob\n', true);
      expect(await names(`/api/v1/${type}s`)).to.deep.equal(['bob']);
    }
    await ok(me.post('/api/v1/domain_blocks', { domain: 'old.example' }));
    await importFor(town.app, me.id, 'domain-blocks', 'New.example\n', true);
    expect(await ok(me.get('/api/v1/domain_blocks'))).to.deep.equal(['new.example']);
  });

  it('remove lists and members that are not in the file, in overwrite mode', async () => {
    await importFor(town.app, me.id, 'lists', 'Old,ada\nFriends,ada\nFriends,bob\n');
    await importFor(town.app, me.id, 'lists', 'Friends,bob\nFriends,cyn\nNew,cyn\n', true);
    expect((await exported(town.app, me.id, 'lists')).split('\r\n').sort()).to.deep.equal([
      '',
      'Friends,bob@rookery.example',
      'Friends,cyn@rookery.example',
      'New,cyn@rookery.example',
    ]);
    // Removing an account from a list does not unfollow it.
    expect(await names(`/api/v1/accounts/${me.id}/following`)).to.deep.equal(['ada', 'bob', 'cyn']);
  });

  it('replace bookmarks in overwrite mode, and refuse posts that the user may not see', async () => {
    const post = (status: string, visibility = 'public') =>
      ok(ada!.post<{ id: string; uri: string }>('/api/v1/statuses', { status, visibility }));
    const [one, two, hidden] = [await post('one'), await post('two'), await post('@ada hidden', 'direct')];
    await ok(me.post(`/api/v1/statuses/${one.id}/bookmark`));
    await town.waitUntilIdle();
    const csv = `${two.uri}\n${hidden.uri}\nhttps://nowhere.invalid/1\n`;
    const { done, failed } = await importFor(town.app, me.id, 'bookmarks', csv, true);
    expect(done).to.equal(1);
    expect(failed.map(({ reason }) => reason)).to.deep.equal([
      'There is no such post, or it is not for you',
      'There is no such post, or it is not for you',
    ]);
    expect(await exported(town.app, me.id, 'bookmarks')).to.equal(`${two.uri}\r\n`);
  });

  it('keep the duration of an existing mute', async () => {
    await ok(me.post(`/api/v1/accounts/${idOf(ada)}/mute`, { duration: 3_600 }));
    const csv = await exported(town.app, me.id, 'mutes');
    expect(csv).to.equal('Account address,Hide notifications\r\nada@rookery.example,true\r\n');
    await importFor(town.app, me.id, 'mutes', csv.replace('true', 'false'));
    expect(await relation(ada)).to.deep.include({ muting: true, muting_notifications: false });
    const [mute] = await ok(me.get<{ mute_expires_at: string | null }[]>('/api/v1/mutes'));
    expect(mute?.mute_expires_at).to.be.a('string');
  });

  it('mute permanently an account whose mute has expired', async () => {
    await ok(me.post(`/api/v1/accounts/${idOf(ada)}/mute`, { duration: 1 }));
    await sleep(1_100);
    await importFor(town.app, me.id, 'mutes', 'ada\n');
    const [mute] = await ok(me.get<{ mute_expires_at: string | null }[]>('/api/v1/mutes'));
    expect(mute?.mute_expires_at).to.equal(null);
  });

  it('change only the follow settings that the file names', async () => {
    await ok(me.post(`/api/v1/accounts/${idOf(ada)}/follow`, { notify: true, languages: ['de'] }));
    await importFor(town.app, me.id, 'following', 'Account address,Show boosts\nada,false\n');
    expect(await relation(ada)).to.deep.include({ showing_reblogs: false, notifying: true });
    await importFor(town.app, me.id, 'following', 'Account address,Languages\nada,\n');
    expect(await relation(ada)).to.deep.include({ languages: null, notifying: true });
  });

  it('create no more lists than allowed', async () => {
    const csv = Array.from({ length: 60 }, (_, index) => `List ${index},ada\n`).join('');
    const ofObjects = '__proto__,ada\ntoString,ada\n';
    const { done, failed } = await importFor(town.app, me.id, 'lists', `${csv}${ofObjects}`);
    expect(done).to.equal(50);
    expect(new Set(failed.map(({ reason }) => reason))).to.deep.equal(
      new Set(['You cannot have more than 50 lists']),
    );
    expect(await ok(me.get<unknown[]>('/api/v1/lists'))).to.have.length(50);
  });

  it('do not remove entries that another process has just imported, in overwrite mode', async () => {
    for (const who of [ada, bob]) await ok(me.post(`/api/v1/accounts/${idOf(who)}/follow`));
    await town.waitUntilIdle();
    const { app } = town;
    const { imports } = app.contextDependencies.services;
    const of = { id: app.systemContext('spec').newId(), account_id: me.id, type: 'following' as const };
    const row = { line: 1, value: 'ada', key: 'ada', list: null, settings: {} };
    await imports.begin({ ...of, overwrite: true }, [row], []);
    const goes = async () => (await surplusOf(app.db, of, LARGEST_ID, 10)).map(({ target_id }) => target_id);
    expect(await goes()).to.deep.equal([idOf(bob)]);
    await imports.prepared(of.id, null);
    await imports.record(of.id, [{ line: 1, reason: undefined }]);
    expect(await goes()).to.deep.equal([]);
  });

  it('are deleted with the account', async () => {
    await importFor(town.app, me.id, 'blocks', 'nobody\nada\n');
    const { imports, personalData } = town.app.contextDependencies.services;
    const [{ id } = { id: '' }] = await imports.of(me.id);
    await personalData.forget(me.id, []);
    expect(await imports.of(me.id)).to.deep.equal([]);
    expect(await imports.failures(id, 0, 10)).to.deep.equal([]);
  });
});
