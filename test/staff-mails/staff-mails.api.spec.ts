import { expect } from 'chai';
import { createAccount, modifyUser } from '#commands/accounts/index.ts';
import { accountPage, appealPage, reportPage, SIGN_UPS_PAGE, TREND_PAGES } from '#commands/mails/index.ts';
import { consolePages } from '#interfaces/web/admin/index.ts';
import type { AdminAccount, Report } from '#mastodon/schemas/index.ts';
import { signedIn } from '../account-pages/support.ts';
import { applicant } from '../console/people.ts';
import { textsMailedTo } from '../support/mails.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('Mails to staff', (town) => {
  let alice: Person;
  let bob: Person;
  let mod: Person;
  let addresses: Record<string, string>;
  before(async function () {
    this.timeout(120_000);
    mod = await town.staff('mod', 'Moderator');
    const boss = await town.staff('boss', 'Owner');
    expect((await boss.patch('/api/v1/admin/settings', { title: 'The Roost' })).status).to.equal(200);
    alice = await town.person('alice');
    bob = await town.person('bob');
    const people = await Promise.all(
      [mod, boss, alice, bob].map(({ id }) => mod.get<AdminAccount>(`/api/v1/admin/accounts/${id}`)),
    );
    addresses = Object.fromEntries(people.map(({ json }) => [json.username, json.email]));
  });

  const mailed = async (name: string): Promise<string[]> => {
    await town.waitUntilIdle();
    return textsMailedTo(addresses[name] ?? '', town.app.config.dataDir);
  };
  const file = async (body: object = {}): Promise<Report> => {
    const { status, json } = await alice.post<Report>('/api/v1/reports', { account_id: bob.id, ...body });
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };

  describe('about reports', () => {
    let first: Report;

    it("go to the staff who may manage them, without the reporter's text", async () => {
      first = await file({ comment: 'Sells stolen eggs', category: 'spam' });
      for (const name of ['mod', 'boss']) {
        const [mail = '', ...more] = await mailed(name);
        expect(more).to.deep.equal([]);
        expect(mail).to.match(new RegExp(`^Subject: New report on rookery\\.example \\(${first.id}\\)`, 'm'));
        expect(mail).to.contain('@alice reported @bob. Kind of report: spam.');
        expect(mail).not.to.contain('eggs');
        expect(mail).to.contain('https://rookery.example/@bob\n');
        expect(mail).to.contain(`https://rookery.example/admin/reports/${first.id}\n`);
        expect(mail).to.match(/^From: The Roost <notifications@rookery\.example>$/m);
        for (const verb of [`reports show ${first.id}`, `reports resolve ${first.id}`, 'accounts warn bob']) {
          expect(mail).to.contain(`rookery ${verb}`);
        }
      }
      for (const name of ['alice', 'bob']) expect(await mailed(name)).to.deep.equal([]);
    });

    it('are repeated only after staff have dealt with the account', async () => {
      await file();
      expect(await mailed('mod')).to.have.length(1);
      for (const { id } of (await mod.get<{ id: string }[]>('/api/v1/admin/reports')).json) {
        expect((await mod.post(`/api/v1/admin/reports/${id}/resolve`)).status).to.equal(200);
      }
      const next = await file();
      const mails = await mailed('mod');
      expect(mails).to.have.length(2);
      expect(mails[1]).to.contain(next.id);
    });
  });

  describe('about waiting sign-ups', () => {
    const signUp = (username: string, state: { confirmed: boolean; approved: boolean }): Promise<string> =>
      createAccount(town.app.systemContext('spec'), {
        username,
        email: `${username}@example.org`,
        password: 'correct horse battery',
        locale: 'en',
        role: null,
        reason: 'For the birds',
        applicationId: null,
        signUpIp: '192.0.2.44',
        ...state,
      });
    const waiting = async (name: string): Promise<string[]> =>
      (await mailed(name)).filter((mail) => mail.includes('waits to be let in'));

    it('are sent when the address is confirmed, and are about waiting sign-ups only', async () => {
      const id = await signUp('novice', { confirmed: false, approved: false });
      await signUp('friend', { confirmed: true, approved: true });
      expect(await waiting('mod')).to.deep.equal([]);
      await modifyUser(town.app.systemContext('spec'), id, { confirm: true });
      for (const name of ['mod', 'boss']) {
        const [mail = '', ...more] = await waiting(name);
        expect(more).to.deep.equal([]);
        expect(mail).to.contain('signed up on rookery.example as @novice');
        expect(mail).not.to.match(/birds|192\.0\.2\.44|novice@example/);
        expect(mail).to.contain(`https://rookery.example/admin/accounts/${id}\n`);
        expect(mail).to.contain('https://rookery.example/admin/sign_ups\n');
      }
      expect(await waiting('alice')).to.deep.equal([]);
    });

    it('are sent for users who are confirmed from the start, and not for users who are approved in the meantime', async () => {
      await signUp('sure', { confirmed: true, approved: false });
      expect((await waiting('mod')).filter((mail) => mail.includes('@sure'))).to.have.length(1);
      const id = await signUp('lucky', { confirmed: false, approved: false });
      await modifyUser(town.app.systemContext('spec'), id, { approve: true });
      await modifyUser(town.app.systemContext('spec'), id, { confirm: true });
      expect((await waiting('mod')).filter((mail) => mail.includes('@lucky'))).to.deep.equal([]);
    });
  });

  describe('about anything', () => {
    it('lead to pages that their readers can open', async () => {
      const [report, signUp] = [await file(), await applicant(town, 'visitor')];
      const browser = await signedIn(town.server, 'mod');
      const paths = [
        reportPage(report.id),
        accountPage(signUp),
        SIGN_UPS_PAGE,
        ...Object.values(TREND_PAGES),
      ];
      for (const path of paths) expect((await browser.open(path)).status, path).to.equal(200);
      const pages = consolePages.map(({ path }) => path);
      expect(pages).to.include.members(
        [reportPage(':id'), accountPage(':id'), appealPage(':id'), SIGN_UPS_PAGE].concat(
          Object.values(TREND_PAGES),
        ),
      );
    });
  });
});
