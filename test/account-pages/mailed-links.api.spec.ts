import { expect } from 'chai';
import { Browser } from '../oauth/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { addressOf, pathsMailedTo, signedIn } from './support.ts';

describe('A second mail with a link', function () {
  this.timeout(60_000);
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const open = async (path: string): Promise<number> => (await new Browser(server).open(path)).status;
  /** Expects the links of two mails to an address, of which only the second works. */
  const expectNewestOnly = async (address: string): Promise<string> => {
    const paths = await pathsMailedTo(server, address);
    expect(new Set(paths).size).to.equal(2);
    const [first = '', second = ''] = paths;
    expect(await open(first)).to.equal(410);
    expect(await open(second)).to.be.within(200, 303);
    return second;
  };

  it('voids the link for a new password in the first', async () => {
    const address = await addressOf(server, (await server.user('alice')).id);
    for (let mails = 0; mails < 2; mails += 1) {
      const browser = new Browser(server);
      await browser.open('/auth/password/new');
      await browser.submit('/auth/password/new', { email: address });
      await pathsMailedTo(server, address);
    }
    await expectNewestOnly(address);
  });

  it('voids the link that confirms a sign-up in the first', async () => {
    const { id } = await server.user('bob', { confirmed: false });
    const address = await addressOf(server, id);
    const browser = new Browser(server);
    await browser.open('/auth/sign_in');
    await browser.submit('/auth/sign_in', { login: 'bob', password: 'correct horse bob' });
    for (let mails = 0; mails < 2; mails += 1) {
      await browser.open('/auth/setup');
      expect((await browser.submit('/auth/setup')).status).to.equal(303);
    }
    await expectNewestOnly(address);
  });

  it('voids the link that confirms a new address in the first', async () => {
    await server.user('carol');
    const browser = await signedIn(server, 'carol');
    for (let mails = 0; mails < 2; mails += 1) {
      await browser.open('/settings/security');
      const fields = { email: 'carol@new.example', current_password: 'correct horse carol' };
      expect((await browser.submit('/settings/security', fields, 'value="email"')).status).to.equal(303);
      await pathsMailedTo(server, 'carol@new.example');
    }
    await expectNewestOnly('carol@new.example');
  });

  it('leaves the link in the first when it was refused', async () => {
    const { id } = await server.user('dora');
    const address = await addressOf(server, id);
    const ask = async (): Promise<void> => {
      const browser = new Browser(server);
      await browser.open('/auth/password/new');
      await browser.submit('/auth/password/new', { email: address });
    };
    // One more than a mailbox gets in an hour.
    for (let mails = 0; mails < 11; mails += 1) await ask();
    const paths = await pathsMailedTo(server, address);
    expect(paths).to.have.length(10);
    expect(await open(paths.at(-1) ?? '')).to.equal(200);
  });
});
