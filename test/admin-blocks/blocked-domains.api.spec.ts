import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { status as statusDecider } from '#commands/statuses/status.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { StatusCreated, type StatusEvent, statusStream } from '#events/statuses.ts';
import type { Account, AdminDomainBlock, Status } from '#mastodon/schemas/index.ts';
import { reportsRejected } from '#queries/federation/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import { shownAt } from '../support/remote-media.ts';

const PATH = '/api/v1/admin/domain_blocks';

const PICTURE = {
  id: '115500000000000041',
  type: 'image',
  file: 'https://media.example/a.png',
  preview: 'https://media.example/a.png',
  remote_url: 'https://media.example/a.png',
  meta: null,
  description: 'a ,"media_attachments":[] trick',
  blurhash: null,
};

describeTown('Accounts of blocked domains', (town) => {
  let admin: Person;
  let alice: Person;
  before(async function () {
    this.timeout(120_000);
    admin = await town.staff('admin', 'Admin');
    alice = await town.person('alice');
  });

  const block = async (domain: string, rules: object): Promise<string> => {
    const { status, json } = await admin.post<AdminDomainBlock>(PATH, { domain, ...rules });
    expect(status).to.equal(200);
    return json.id;
  };
  const seen = async (id: string): Promise<Account> =>
    (await alice.get<Account>(`/api/v1/accounts/${id}`)).json;
  /** Records a post with a picture by a remote account. */
  const post = async (author: string, domain: string): Promise<string> => {
    const ctx = town.app.systemContext('spec');
    const id = ctx.newId();
    const uri = `https://${domain}/posts/${id}`;
    const event = {
      type: 'StatusCreated',
      data: {
        ...StatusCreated.samples[StatusCreated.version as 1],
        id,
        account_id: author,
        uri,
        url: uri,
        visibility: 'public',
        in_reply_to_id: null,
        in_reply_to_uri: undefined,
        fetched: undefined,
        in_reply_to_account_id: null,
        conversation_id: id,
        mentions: [],
        tags: [],
        poll: null,
        quote: null,
        media: [PICTURE],
      },
    } as unknown as StatusEvent;
    await ctx.execute(statusStream(id), statusDecider, () => [event]);
    await town.waitUntilIdle();
    return id;
  };
  const show = (id: string): Promise<{ status: number; json: Status }> =>
    alice.get<Status>(`/api/v1/statuses/${id}`);
  const timeline = async (): Promise<string[]> =>
    (await alice.get<Status[]>('/api/v1/timelines/public')).json.map(({ id }) => id);

  it('are suspended with the domain and its subdomains, also when discovered later, until the block ends', async () => {
    const before = await remoteAccount(town.app, 'before', 'sus.example');
    const below = await remoteAccount(town.app, 'below', 'x.sus.example');
    const other = await remoteAccount(town.app, 'other', 'notsus.example');
    const posted = await post(before, 'sus.example');
    expect((await show(posted)).status).to.equal(200);
    const id = await block('SUS.example', { severity: 'suspend' });
    const later = await remoteAccount(town.app, 'later', 'y.x.sus.example');
    for (const each of [before, below, later]) expect(await seen(each)).to.include({ suspended: true });
    expect(await seen(other)).not.to.have.property('suspended');
    expect((await show(posted)).status).to.equal(404);
    expect(await timeline()).not.to.include(posted);
    const named = await alice.get(`/api/v1/accounts/lookup?acct=before@sus.example`);
    expect(named.json).to.include({ id: before, suspended: true, note: '' });
    await admin.delete(`${PATH}/${id}`);
    for (const each of [before, below, later]) expect(await seen(each)).not.to.have.property('suspended');
    expect((await show(posted)).status).to.equal(200);
  });

  it('are suspended at every port of the domain and its subdomains until the block ends', async () => {
    const at = await remoteAccount(town.app, 'at', 'ported.example:8443');
    const below = await remoteAccount(town.app, 'below', 'sub.ported.example:8443');
    const other = await remoteAccount(town.app, 'other', 'notported.example:8443');
    const posted = await post(at, 'ported.example:8443');
    const id = await block('ported.example', { severity: 'suspend' });
    const later = await remoteAccount(town.app, 'later', 'ported.example:444');
    for (const each of [at, below, later]) expect(await seen(each)).to.include({ suspended: true });
    expect(await seen(other)).not.to.have.property('suspended');
    expect((await show(posted)).status).to.equal(404);
    const { json: peers } = await alice.get<string[]>('/api/v1/instance/peers');
    expect(peers).to.include('notported.example:8443').and.not.to.include('ported.example:8443');
    await admin.delete(`${PATH}/${id}`);
    for (const each of [at, below, later]) expect(await seen(each)).not.to.have.property('suspended');
    expect((await show(posted)).status).to.equal(200);
  });

  it('follow the closest block at a port as well', async () => {
    const one = await remoteAccount(town.app, 'one', 'a.closest.example:8443');
    const closer = await block('a.closest.example', { severity: 'silence' });
    const above = await block('closest.example', { severity: 'suspend' });
    expect(await seen(one))
      .to.include({ limited: true })
      .and.not.to.have.property('suspended');
    await admin.delete(`${PATH}/${closer}`);
    expect(await seen(one)).to.include({ suspended: true });
    await admin.delete(`${PATH}/${above}`);
    expect(await seen(one)).not.to.have.property('suspended');
  });

  it('stay suspended after the block when they were suspended themselves', async () => {
    const one = await remoteAccount(town.app, 'one', 'both.example');
    const suspended: AccountEvent = { type: 'AccountSuspended', data: { account_id: one } };
    await town.app.systemContext('spec').execute(accountStream(one), account, () => [suspended]);
    const id = await block('both.example', { severity: 'suspend' });
    await admin.delete(`${PATH}/${id}`);
    expect(await seen(one)).to.include({ suspended: true });
  });

  it('are limited while their domain is silenced, and hidden from the public timeline', async () => {
    const one = await remoteAccount(town.app, 'one', 'loud.example');
    const posted = await post(one, 'loud.example');
    expect(await timeline()).to.include(posted);
    const id = await block('loud.example', { severity: 'silence' });
    expect(await seen(one)).to.include({ limited: true });
    expect(await timeline()).not.to.include(posted);
    expect((await show(posted)).status).to.equal(200);
    await admin.put(`${PATH}/${id}`, { severity: 'noop' });
    expect(await seen(one)).not.to.have.property('limited');
    expect(await timeline()).to.include(posted);
  });

  it('show default pictures and unknown attachments while media is rejected', async () => {
    const one = await remoteAccount(town.app, 'pictured', 'media.example');
    const picture = { original: 'https://media.example/a.png', static: 'https://media.example/a.png' };
    const updated: AccountEvent = {
      type: 'AccountUpdated',
      data: { id: one, avatar: picture, header: picture },
    };
    await town.app.systemContext('spec').execute(accountStream(one), account, () => [updated]);
    const posted = await post(one, 'media.example');
    await town.waitUntilIdle();
    const attached = (await show(posted)).json.media_attachments.length;
    expect(attached).to.be.above(0);
    expect((await seen(one)).avatar).to.equal(
      shownAt('https://rookery.example', 'avatars', picture.original),
    );
    const id = await block('media.example', { severity: 'noop', reject_media: true });
    const account1 = await seen(one);
    for (const url of [account1.avatar, account1.avatar_static, account1.header, account1.header_static]) {
      expect(url).to.match(/missing\.png$/);
    }
    const { media_attachments: refused } = (await show(posted)).json;
    expect(refused).to.have.length(attached);
    for (const attachment of refused)
      expect(attachment).to.include({ type: 'unknown', remote_url: PICTURE.remote_url });
    expect((await show(posted)).json.account.avatar).to.match(/missing\.png$/);
    await admin.put(`${PATH}/${id}`, { reject_media: false });
    expect((await show(posted)).json.media_attachments).to.have.length(attached);
  });

  it('follow the closest of several blocks', async () => {
    const deep = await remoteAccount(town.app, 'deep', 'a.b.example');
    await block('b.example', { severity: 'silence' });
    const id = await block('a.b.example', { severity: 'suspend' });
    expect(await seen(deep)).to.include({ suspended: true });
    await admin.delete(`${PATH}/${id}`);
    expect(await seen(deep)).to.include({ limited: true });
    expect(await seen(deep)).not.to.have.property('suspended');
  });

  it('have their reports rejected when the block says so', async () => {
    const refused = (domain: string): Promise<boolean> => reportsRejected(town.app.db, [domain]);
    expect(await refused('false.example')).to.equal(false);
    await block('x.false.example', { severity: 'silence' });
    const id = await block('false.example', { severity: 'noop', reject_reports: true });
    expect(await refused('false.example')).to.equal(true);
    expect(await refused('deep.down.false.example')).to.equal(true);
    // The closest block decides.
    expect(await refused('x.false.example')).to.equal(false);
    expect(await refused('notfalse.example')).to.equal(false);
    await admin.put(`${PATH}/${id}`, { reject_reports: false });
    expect(await refused('false.example')).to.equal(false);
  });
});
