import { expect } from 'chai';
import { createCredentials } from '#interfaces/oauth/credentials.ts';
import type { Credentials } from '#kernel/services/credentials.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { freshDatabase } from '../support/database.ts';

const HASH_OF = 'select password_hash as hash from durable.credentials where account_id = $1';

describe('Credentials', () => {
  let db: Database;
  let credentials: Credentials;

  before(async () => {
    const url = await freshDatabase();
    await migrate(url);
    db = openDatabase({ url, max: 4, applicationName: 'test' });
    credentials = createCredentials(db);
  });
  after(() => db.close());

  it('verify a password, and the newest one only', async () => {
    await credentials.setPassword('1', 'first password');
    expect(await credentials.verifyPassword('1', 'first password')).to.equal(true);
    await credentials.setPassword('1', 'second password');
    expect(await credentials.verifyPassword('1', 'first password')).to.equal(false);
    expect(await credentials.verifyPassword('1', 'second password')).to.equal(true);
  });

  it('hash a password again when its hash has another cost', async () => {
    const hash = async (): Promise<unknown> =>
      (await db.query<{ hash: string }>(HASH_OF, ['3']))[0]?.hash.split('$')[2];
    await createCredentials(db, { ln: 2, r: 1, p: 1 }).setPassword('3', 'a password');
    expect(await credentials.verifyPassword('3', 'another password')).to.equal(false);
    expect(await hash()).to.equal('ln=2,r=1,p=1');
    expect(await credentials.verifyPassword('3', 'a password')).to.equal(true);
    expect(await hash()).to.equal('ln=15,r=8,p=3');
    expect(await credentials.verifyPassword('3', 'a password')).to.equal(true);
  });

  it('verify no password of unknown accounts and accounts without one', async () => {
    expect(await credentials.verifyPassword('2', '')).to.equal(false);
    expect(await credentials.verifyPassword(undefined, 'first password')).to.equal(false);
  });

  it('store neither passwords nor codes', async () => {
    const code = await credentials.createCode('confirmation', '1', 'alice@example.org');
    const rows = await db.query(
      'select password_hash as secret from durable.credentials union all select encode(code_hash, $1) from durable.one_time_codes',
      ['escape'],
    );
    expect(JSON.stringify(rows)).not.to.contain('password"').and.not.to.contain(code);
  });

  it('issue one-time codes that work once, for their kind', async () => {
    const code = await credentials.createCode('confirmation', '1', 'alice@example.org');
    expect(await credentials.useCode('reset_password', code)).to.equal(undefined);
    const used = { accountId: '1', value: 'alice@example.org' };
    const both = await Promise.all([
      credentials.useCode('confirmation', code),
      credentials.useCode('confirmation', code),
    ]);
    expect(both.filter(Boolean)).to.deep.equal([used]);
  });

  it('void the earlier codes of the same account and kind, and no others', async () => {
    const makeCode = (kind: string, account: string): Promise<string> =>
      credentials.createCode(kind, account, 'x@example.org');
    const first = await makeCode('reset_password', '5');
    const second = await makeCode('reset_password', '5');
    const others = [
      ['confirmation', await makeCode('confirmation', '5')],
      ['reset_password', await makeCode('reset_password', '6')],
    ] as const;
    const third = await makeCode('reset_password', '5');
    await credentials.voidEarlierCodes('reset_password', second);
    expect(await credentials.hasCode('reset_password', first)).to.equal(false);
    for (const code of [second, third]) {
      expect(await credentials.hasCode('reset_password', code)).to.equal(true);
    }
    for (const [kind, code] of others) expect(await credentials.hasCode(kind, code)).to.equal(true);
  });

  it('forget codes that are too old', async () => {
    const code = await credentials.createCode('reset_password', '1', '');
    await db.query(`update durable.one_time_codes set created_at = now() - interval '7 hours'`);
    expect(await credentials.useCode('reset_password', code)).to.equal(undefined);
  });
});
