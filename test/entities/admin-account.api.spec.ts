import { expect } from 'chai';
import { createAddressBook, forgetOldAddresses } from '#interfaces/oauth/addresses.ts';
import { type AdminAccount, adminAccountSchema } from '#mastodon/schemas/index.ts';
import { adminAccounts } from '#queries/entities/admin-account.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import { HOUR, notAtTheEndOf } from '../support/whole-days.ts';

describeTown('Accounts in the admin API', (town) => {
  before(async function () {
    this.timeout(60_000);
  });

  const read = async (...ids: string[]): Promise<AdminAccount[]> => {
    await town.waitUntilIdle();
    const found = await adminAccounts(town.app.contextDependencies, ids);
    return ids.flatMap((id) => adminAccountSchema.parse(JSON.parse(found.get(id) ?? 'null')));
  };
  const setAge = (accountId: string, ip: string, age: string): Promise<unknown> =>
    town.app.db.query(
      'update durable.account_addresses set used_at = now() - $3::interval where account_id = $1 and ip = $2',
      [accountId, ip, age],
    );

  it('show the address, language, role and state of the user', async () => {
    const [mod, plain] = [await town.staff('mod', 'Moderator'), await town.person('plain')];
    const [staff, user] = await read(mod.id, plain.id);
    expect(staff).to.deep.include({ id: mod.id, username: 'mod', domain: null, locale: 'en' });
    expect(staff?.email).to.match(/^mod-.*@example\.org$/);
    expect(staff?.role).to.include({ id: '1', name: 'Moderator', highlighted: true });
    expect(user?.role).to.include({ id: '-99', highlighted: false, collection_limit: 10 });
    expect(user).to.deep.include({
      confirmed: true,
      approved: true,
      disabled: false,
      silenced: false,
      suspended: false,
      sensitized: false,
      invite_request: null,
      ip: null,
      ips: [],
    });
    expect(user?.account).to.include({ id: plain.id, acct: 'plain' });
    expect(user?.created_at).not.to.match(/T00:00:00.000Z$/);
    await town.suspend(plain);
    expect((await read(plain.id))[0]).to.include({ suspended: true });
  });

  it('show the reason, the application and the IP address of the sign-up', async () => {
    const app = await town.appOnly();
    const { json } = await app.post<{ access_token: string }>('/api/v1/accounts', {
      username: 'novice',
      email: 'novice@example.org',
      password: 'correct horse battery',
      agreement: true,
      locale: 'de',
      reason: 'For the birds',
    });
    const { json: found } = await town.nobody.get<{ id: string }>('/api/v1/accounts/lookup?acct=novice');
    const { json: credentials } = await app.get<{ id: string }>('/api/v1/apps/verify_credentials');
    const [novice] = await read(found.id);
    expect(novice).to.deep.include({
      email: 'novice@example.org',
      confirmed: false,
      approved: true,
      locale: 'de',
      invite_request: 'For the birds',
      created_by_application_id: credentials.id,
      ip: '127.0.0.1',
    });
    expect(novice?.ips).to.have.length(1);
    // An unconfirmed user may not make requests, so this one adds no address.
    expect((await town.withToken(json.access_token).get('/api/v1/timelines/home')).status).to.equal(403);
  });

  it('have no email address, no language and no pending approval when they are remote', async () => {
    const id = await remoteAccount(town.app, 'far', 'remote.example');
    const [far] = await read(id);
    expect(far).to.deep.include({
      username: 'far',
      domain: 'remote.example',
      email: '',
      locale: '',
      ip: null,
      ips: [],
      confirmed: true,
      approved: true,
      disabled: false,
    });
  });

  it('are absent when unknown, and each is returned once', async () => {
    const someone = await town.person('someone');
    const found = await adminAccounts(town.app.contextDependencies, [someone.id, '1', null, someone.id]);
    expect([...found.keys()]).to.deep.equal([someone.id]);
  });

  it('list the IP addresses of requests, newest first', async function () {
    this.timeout(60_000);
    await notAtTheEndOf(HOUR, 20_000);
    const visitor = await town.person('visitor');
    await visitor.get('/api/v1/timelines/home');
    await eventually(async () => expect((await read(visitor.id))[0]?.ip).to.equal('127.0.0.1'));
    const book = createAddressBook(town.app.db, () => undefined);
    book.note(visitor.id, '2001:db8::7');
    await eventually(async () => expect((await read(visitor.id))[0]?.ips).to.have.length(2));
    await setAge(visitor.id, '127.0.0.1', '1 day');
    await setAge(visitor.id, '2001:db8::7', '2 days');
    const [before] = await read(visitor.id);
    expect(before?.ips.map(({ ip }) => ip)).to.deep.equal(['127.0.0.1', '2001:db8::7']);
    // An address is written at most once an hour, so this one is not updated.
    book.note(visitor.id, '2001:db8::7');
    const other = createAddressBook(town.app.db, () => undefined);
    other.note(visitor.id, '2001:db8::8');
    await eventually(async () => expect((await read(visitor.id))[0]?.ip).to.equal('2001:db8::8'));
    expect((await read(visitor.id))[0]?.ips.map(({ ip }) => ip).at(-1)).to.equal('2001:db8::7');
  });

  it('list a limited number of IP addresses, of the past year only', async () => {
    const nomad = await town.person('nomad');
    await town.app.db.query(
      `insert into durable.account_addresses (account_id, ip, used_at)
       select $1, '192.0.2.' || n, now() - n * interval '1 minute' from generate_series(1, 150) n`,
      [nomad.id],
    );
    createAddressBook(town.app.db, () => undefined).note(nomad.id, '198.51.100.1');
    await eventually(async () => expect((await read(nomad.id))[0]?.ip).to.equal('198.51.100.1'));
    const rows = await town.app.db.query('select from durable.account_addresses where account_id = $1', [
      nomad.id,
    ]);
    expect(rows).to.have.length(101);
    await setAge(nomad.id, '192.0.2.7', '2 years');
    await forgetOldAddresses(town.app.db);
    const [kept] = await read(nomad.id);
    expect(kept?.ips.map(({ ip }) => ip)).not.to.include('192.0.2.7');
  });
});
