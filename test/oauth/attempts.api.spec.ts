import { expect } from 'chai';
import { countAttempt } from '../../src/interfaces/oauth/sign-in.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe('Counting attempts of a password', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** Counts an attempt for each login. Returns the counted keys besides the address. */
  const counted = async (...logins: string[]): Promise<string[]> => {
    const keys: string[] = [];
    const limit = async (_kind: string, key: string): Promise<void> => void keys.push(key);
    for (const login of logins) await countAttempt({ db: server.app.db, limit }, { ip: '192.0.2.1', login });
    expect(keys.filter((key) => key === 'ip:192.0.2.1')).to.have.length(logins.length);
    return [...new Set(keys.filter((key) => !key.startsWith('ip:')))];
  };

  it('counts the name, the e-mail address and other spellings of an account together', async () => {
    const { id } = await server.user('alice');
    const [row] = await server.app.db.query<{ email: string }>(
      'select email from users where account_id = $1',
      [id],
    );
    const { email = '' } = row ?? {};
    expect(email).to.contain('alice');
    const spellings = ['alice', ' ALICE ', email, email.toUpperCase()];
    expect(await counted(...spellings)).to.deep.equal([`account:${id}`]);
    // The collation decides whether the database treats these as one name. An account is counted by its id,
    // never by the text.
    const [byName = '', byAddress = ''] = await counted('al\u0130ce', email.replace('alice', 'al\u0130ce'));
    expect(byName).to.be.oneOf([`account:${id}`, 'login:alice']);
    expect(byAddress === '' || byAddress.startsWith('login:alice-')).to.equal(true);
  });

  it('counts the spellings of a login without an account together', async () => {
    expect(await counted('nemo', 'NEMO', '\uFF2E\uFF25\uFF2D\uFF2F', 'nem\u00F3')).to.deep.equal([
      'login:nemo',
    ]);
  });
});
