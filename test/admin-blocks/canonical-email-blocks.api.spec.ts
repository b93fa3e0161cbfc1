import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { AdminCanonicalEmailBlock } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';
import { signUps } from './sign-ups.ts';

const PATH = '/api/v1/admin/canonical_email_blocks';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describeTown('Blocking mailboxes over the API', (town) => {
  let admin: Person;
  let mod: Person;
  let signUp: Awaited<ReturnType<typeof signUps>>;
  before(async function () {
    this.timeout(120_000);
    admin = await town.staff('admin', 'Admin');
    mod = await town.staff('mod', 'Moderator');
    signUp = await signUps(town);
  });

  type Refusal = { error: string };
  const block = async (body: object): Promise<AdminCanonicalEmailBlock> => {
    const { status, json } = await admin.post<AdminCanonicalEmailBlock>(PATH, body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const matching = async (email: string): Promise<AdminCanonicalEmailBlock[]> =>
    (await admin.post<AdminCanonicalEmailBlock[]>(`${PATH}/test`, { email })).json;

  it('stores only the hash of the canonical address, and refuses every spelling of it', async () => {
    const made = await block({ email: 'Tro.LL+spam@Mail.Example' });
    expect(made.canonical_email_hash).to.equal(sha256('troll@mail.example'));
    expect((await admin.get(`${PATH}/${made.id}`)).json).to.deep.equal(made);
    for (const email of ['troll@mail.example', 'T.R.O.L.L@mail.example', 'troll+new+one@MAIL.example']) {
      const { status, json } = await signUp(email);
      expect([status, json.details['email']], email).to.deep.equal([
        422,
        [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
      ]);
      expect(await matching(email)).to.deep.equal([made]);
    }
    expect((await signUp('troll@other.example')).status).to.equal(200);
    expect(await matching('troll@other.example')).to.deep.equal([]);
  });

  it('accepts a hash as well, and prefers an address', async () => {
    const hash = sha256('hashed@mail.example');
    const made = await block({ canonical_email_hash: hash.toUpperCase() });
    expect(made.canonical_email_hash).to.equal(hash);
    expect((await signUp('hashed@mail.example')).status).to.equal(422);
    const other = await block({ email: 'both@mail.example', canonical_email_hash: hash });
    expect(other.canonical_email_hash).to.equal(sha256('both@mail.example'));
  });

  it('keeps one block per mailbox until it is deleted', async () => {
    const { id } = await block({ email: 'once@mail.example' });
    const again = await admin.post<Refusal>(PATH, { email: 'on.ce@mail.example' });
    expect([again.status, again.json.error]).to.deep.equal([
      422,
      'Validation failed: Canonical email hash has already been taken',
    ]);
    const { status, json } = await admin.delete(`${PATH}/${id}`);
    expect([status, json]).to.deep.equal([200, {}]);
    expect((await admin.delete(`${PATH}/${id}`)).status).to.equal(404);
    expect((await admin.get(`${PATH}/${id}`)).status).to.equal(404);
    expect((await signUp('once@mail.example')).status).to.equal(200);
  });

  it('lists blocks newest first, in pages', async () => {
    const made: string[] = [];
    for (const name of ['p1', 'p2', 'p3']) made.unshift((await block({ email: `${name}@mail.example` })).id);
    const first = await admin.get<AdminCanonicalEmailBlock[]>(`${PATH}?limit=2`);
    expect(first.json.map(({ id }) => id)).to.deep.equal(made.slice(0, 2));
    const second = await admin.get<AdminCanonicalEmailBlock[]>(`${PATH}?${first.links['next']}`);
    expect(second.json[0]?.id).to.equal(made[2]);
  });

  it('refuses invalid addresses, hashes and permissions', async () => {
    for (const body of [
      {},
      { email: '' },
      { email: 'nobody' },
      { email: '"a"@b.example' },
      { email: 7 },
      { canonical_email_hash: 'abc' },
      { canonical_email_hash: 'g'.repeat(64) },
      { canonical_email_hash: ['a'] },
    ]) {
      expect((await admin.post(PATH, body)).status, JSON.stringify(body)).to.equal(422);
      const expected = 'email' in body && body.email !== '' ? 422 : 400;
      expect((await admin.post(`${PATH}/test`, body)).status, JSON.stringify(body)).to.equal(expected);
    }
    for (const { status } of [
      await mod.get(PATH),
      await mod.get(`${PATH}/1`),
      await mod.post(PATH, { email: 'a@b.example' }),
      await mod.post(`${PATH}/test`, { email: 'a@b.example' }),
      await mod.delete(`${PATH}/1`),
    ]) {
      expect(status).to.equal(403);
    }
    await expectScope(town, admin, (who) => who.post(`${PATH}/test`, { email: 'a@b.example' }), {
      enough: ['admin:read:canonical_email_blocks', 'admin:read'],
      others: ['read', 'admin:write'],
    });
  });
});
