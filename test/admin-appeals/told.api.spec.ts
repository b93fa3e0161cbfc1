import { expect } from 'chai';
import type { AdminAccount, AdminAppeal, Strike } from '#mastodon/schemas/index.ts';
import { signedIn } from '../account-pages/support.ts';
import { moderationBy } from '../admin-accounts/support.ts';
import { textsMailedTo } from '../support/mails.ts';
import { describeTown, ok, type Person, type Town } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';

describeTown('Messages about appeals', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let mod: Person;
  let admin: Person;
  let second: Person;
  let owner: Person;
  const addresses = new Map<string, string>();
  before(async function () {
    this.timeout(120_000);
    owner = await town.staff('zzowner', 'Owner');
    mod = await town.staff('zzmod', 'Moderator');
    admin = await town.staff('zzadmin', 'Admin');
    second = await town.staff('zzsecond', 'Admin');
    alice = await town.person('alice');
    for (const { id, username } of [owner, mod, admin, second, alice]) {
      const account = await ok(owner.get<AdminAccount>(`/api/v1/admin/accounts/${id}`));
      addresses.set(username, account.email);
    }
  });

  const mailsTo = async ({ username }: Person): Promise<string[]> => {
    await town.waitUntilIdle();
    return textsMailedTo(addresses.get(username) ?? '', town.app.config.dataDir);
  };
  const appealed = async (by: Person, type: string): Promise<{ strike: string; appeal: string }> => {
    await moderationBy(by).act(alice, type, { text: 'Be kind' });
    await town.waitUntilIdle();
    const [strike] = await ok(alice.get<Strike[]>('/api/v1/strikes?limit=1'));
    const path = `/api/v1/strikes/${strike?.id}/appeal`;
    const { appeal } = await ok(alice.post<Strike>(path, { text: 'My secret reason' }));
    return { strike: strike?.id ?? '', appeal: appeal?.id ?? '' };
  };
  /** The mails to a user whose subject names this appeal. */
  const about = async (who: Person, id: string): Promise<string[]> =>
    (await mailsTo(who)).filter((mail) => mail.includes(`(${id})`));

  it('reach staff who may decide by mail, without the text of the appeal', async () => {
    const { appeal } = await appealed(mod, 'silence');
    for (const who of [admin, second, owner]) {
      const [mail = '', ...more] = await about(who, appeal);
      expect(more).to.deep.equal([]);
      expect(mail).to.contain('@alice appeals against a strike').and.to.contain('silence');
      expect(mail).not.to.contain('secret');
    }
    for (const who of [mod, alice]) expect(await about(who, appeal)).to.deep.equal([]);
  });

  it('leave out the author of the strike when others may decide', async () => {
    const { appeal } = await appealed(admin, 'sensitive');
    expect(await about(second, appeal)).to.have.length(1);
    expect(await about(owner, appeal)).to.have.length(1);
    expect(await about(admin, appeal)).to.deep.equal([]);
  });

  it('tell the user of the decision, and link to the page of the strike', async () => {
    for (const [verdict, words] of [
      ['approve', 'approved the appeal'],
      ['reject', 'rejected the appeal'],
    ] as const) {
      const { strike, appeal } = await appealed(mod, 'none');
      const page = `https://rookery.example/disputes/strikes/${strike}`;
      expect((await mailsTo(alice)).at(-1)).to.contain(page);
      const before = (await mailsTo(alice)).length;
      await ok(admin.post(`/api/v1/admin/appeals/${appeal}/${verdict}`, { note: 'We looked\nagain' }));
      const mails = await mailsTo(alice);
      expect(mails).to.have.length(before + 1);
      expect(mails.at(-1)).to.contain(words).and.to.contain('We looked').and.to.contain(page);
    }
  });

  it('never name a member of staff to the user', async () => {
    const names = [mod, admin, second, owner].flatMap((who) => [
      ...[who.id, who.username, addresses.get(who.username) ?? ''],
    ]);
    for (const what of ['unsilence', 'unsensitive']) await moderationBy(owner).does(alice, what);
    const seen: string[] = [];
    const look = async (path: string): Promise<void> => {
      seen.push(JSON.stringify(await ok(alice.get(path))));
    };
    for (const [type, verdict] of [
      ['none', 'approve'],
      ['silence', 'reject'],
      ['sensitive', 'approve'],
      ['none', undefined],
    ] as const) {
      const { strike, appeal } = await appealed(mod, type);
      if (verdict !== undefined) {
        await ok(admin.post<AdminAppeal>(`/api/v1/admin/appeals/${appeal}/${verdict}`, { note: 'Hm' }));
      } else {
        seen.push(JSON.stringify(await ok(alice.delete(`/api/v1/strikes/${strike}/appeal`))));
      }
      await town.waitUntilIdle();
      for (const path of [
        ...['/api/v1/strikes', `/api/v1/strikes/${strike}`, '/api/v1/notifications', '/api/v2/notifications'],
        ...['/api/v1/accounts/verify_credentials', '/api/v1/preferences'],
      ]) {
        await look(path);
      }
      const browser = await signedIn(serverOf(town), 'alice');
      for (const path of ['/settings/strikes', `/disputes/strikes/${strike}`]) {
        const { status, body } = await browser.open(path);
        expect(status).to.equal(200);
        seen.push(body as string);
      }
      const again = await alice.post(`/api/v1/strikes/${strike}/appeal`, { text: 'Again' });
      expect(again.status).to.equal(422);
      seen.push(JSON.stringify(again.json));
    }
    seen.push(...(await mailsTo(alice)));
    expect(seen.length).to.be.greaterThan(40);
    for (const text of seen) for (const name of names) expect(text).not.to.contain(name);
  });
});

/** The part of a test server that a `Browser` needs. */
function serverOf({ url }: Town): TestServer {
  const call: TestServer['call'] = async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body as URLSearchParams }),
    });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  return { call } as TestServer;
}
