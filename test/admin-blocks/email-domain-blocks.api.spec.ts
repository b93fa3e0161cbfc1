import { expect } from 'chai';
import type { AdminEmailDomainBlock, ValidationErrorReply } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';
import { signUps } from './sign-ups.ts';

const PATH = '/api/v1/admin/email_domain_blocks';

describeTown('Blocking e-mail domains over the API', (town) => {
  let mod: Person;
  let admin: Person;
  let signUp: Awaited<ReturnType<typeof signUps>>;
  before(async function () {
    this.timeout(120_000);
    admin = await town.staff('admin', 'Admin');
    mod = await town.staff('mod', 'Moderator');
    signUp = await signUps(town);
  });

  const block = async (domain: string): Promise<AdminEmailDomainBlock> => {
    const { status, json } = await admin.post<AdminEmailDomainBlock>(PATH, { domain });
    expect(status).to.equal(200);
    return json;
  };
  const BLOCKED = [{ error: 'ERR_BLOCKED', description: 'uses a disallowed e-mail provider' }];

  it('refuses sign-ups from the domain and its subdomains in any spelling', async () => {
    await block('Throwaway.Example.');
    for (const email of [
      'a@throwaway.example',
      'a@THROWAWAY.example',
      ' a@throwaway.example ',
      'a@mail.throwaway.example',
      'a@deep.mail.throwaway.example',
      'a@ｔhrowaway.example',
    ]) {
      const { status, json } = await signUp(email);
      expect(status, email).to.equal(422);
      expect(json.details?.['email'], email).to.deep.equal(BLOCKED);
      expect(json.error).to.equal('Validation failed: E-mail address uses a disallowed e-mail provider');
    }
    expect((await signUp('a@notthrowaway.example')).status).to.equal(200);
    expect((await signUp('throwaway.example@mail.example')).status).to.equal(200);
  });

  // CVE-2026-41259: addresses that rules and mail servers read differently.
  it('refuses addresses whose mail could go to another domain than it seems', async () => {
    await block('evil.example');
    for (const email of [
      'a%evil.example@fine.example',
      'a@evil.example,b@fine.example',
      '"a@evil.example"@fine.example',
      '"a b"@fine.example',
      'a@evil.example(@fine.example',
      'a(comment)@fine.example',
      'a@(comment)evil.example',
      '=?utf-8?q?a=40evil.example=3e?=@fine.example',
      'evil.example!a@fine.example',
      '<a@evil.example>',
      'A <a@evil.example>',
      'a@evil.example\r\nTo: b@fine.example',
      'a@[127.0.0.1]',
      'a@evil.example;',
      '@fine.example:a@evil.example',
    ]) {
      const { status, json } = await signUp(email);
      expect(status, email).to.equal(422);
      expect(json.details?.['email']?.[0]?.error, email).to.equal('ERR_INVALID');
    }
  });

  it('lets addresses of a domain sign up with the approval of staff when the block says so', async () => {
    const form = new URLSearchParams({ domain: 'freemail.example', allow_with_approval: 'true' });
    const { json: made } = await admin.post<AdminEmailDomainBlock>(PATH, form);
    expect(made).to.include({ domain: 'freemail.example', allow_with_approval: true });
    expect(await block('other-freemail.example')).to.include({ allow_with_approval: false });
    const signedUp = await signUp('waits@mail.freemail.example');
    expect(signedUp.status).to.equal(200);
    expect((await signUp('open@mail.example')).status).to.equal(200);
    const { json: pending } = await admin.get<{ email: string }[]>('/api/v2/admin/accounts?status=pending');
    expect(pending.map(({ email }) => email)).to.deep.equal(['waits@mail.freemail.example']);
    const { json: shown } = await admin.get<AdminEmailDomainBlock>(`${PATH}/${made.id}`);
    expect(shown.history[0]).to.include({ uses: '1', accounts: '1' });
    // The stricter block decides when two apply.
    await block('strict.freemail.example');
    expect((await signUp('a@strict.freemail.example')).status).to.equal(422);
  });

  it('applies to a corrected address as well', async () => {
    await block('later.example');
    const { json } = await signUp('corrects@mail.example');
    const person = town.withToken(json.access_token);
    const refused = await person.post<ValidationErrorReply>('/api/v1/emails/confirmations', {
      email: 'corrects@sub.later.example',
    });
    expect([refused.status, refused.json.details?.['email']]).to.deep.equal([422, BLOCKED]);
    const corrected = await person.post('/api/v1/emails/confirmations', { email: 'corrects@other.example' });
    expect(corrected.status).to.equal(200);
  });

  it('counts refused sign-ups and addresses over seven days', async () => {
    const { id, history } = await block('counted.example');
    expect(history.map(({ uses, accounts }) => [uses, accounts])).to.deep.equal(
      Array.from({ length: 7 }, () => ['0', '0']),
    );
    const days = history.map(({ day }) => Number(day));
    expect(days).to.deep.equal(days.map((_, index) => (days[0] ?? 0) - index * 86_400));
    for (const name of ['a', 'a', 'b']) await signUp(`${name}@x.counted.example`);
    const after = (await admin.get<AdminEmailDomainBlock>(`${PATH}/${id}`)).json.history;
    const total = (of: 'uses' | 'accounts'): number => after.reduce((sum, day) => sum + Number(day[of]), 0);
    expect([total('uses'), total('accounts')]).to.deep.equal([3, 2]);
  });

  it('ends with DELETE, and can be created once at a time', async () => {
    const { id } = await block('short.example');
    const again = await admin.post<{ error: string }>(PATH, { domain: 'SHORT.example' });
    expect([again.status, again.json.error]).to.deep.equal([
      422,
      'Validation failed: Domain has already been taken',
    ]);
    const { status, json } = await admin.delete(`${PATH}/${id}`);
    expect([status, json]).to.deep.equal([200, {}]);
    expect((await admin.delete(`${PATH}/${id}`)).status).to.equal(404);
    expect((await admin.get(`${PATH}/${id}`)).status).to.equal(404);
    expect((await signUp('a@short.example')).status).to.equal(200);
    await block('short.example');
  });

  it('lists blocks newest first, in pages', async () => {
    for (const domain of ['one.example', 'two.example', 'three.example']) await block(domain);
    const first = await admin.get<AdminEmailDomainBlock[]>(`${PATH}?limit=2`);
    expect(first.json.map(({ domain }) => domain)).to.deep.equal(['three.example', 'two.example']);
    const second = await admin.get<AdminEmailDomainBlock[]>(`${PATH}?${first.links['next']}`);
    expect(second.json[0]?.domain).to.equal('one.example');
  });

  it('refuses invalid domains and permissions', async () => {
    const blank = await admin.post<{ error: string }>(PATH, {});
    expect([blank.status, blank.json.error]).to.deep.equal([422, "Validation failed: Domain can't be blank"]);
    for (const domain of ['a b', '@a.example', 'a@b.example', ['a'], 'x'.repeat(3_000)]) {
      expect((await admin.post(PATH, { domain })).status, JSON.stringify(domain)).to.equal(422);
    }
    for (const { status, json } of [
      await mod.get(PATH),
      await mod.get(`${PATH}/1`),
      await mod.post(PATH, { domain: 'x.example' }),
      await mod.delete(`${PATH}/1`),
    ]) {
      expect([status, json]).to.deep.equal([403, { error: 'This action is not allowed' }]);
    }
    const reading = {
      enough: ['admin:read:email_domain_blocks', 'admin:read'],
      others: ['read', 'admin:write'],
    };
    await expectScope(town, admin, (who) => who.get(PATH), reading);
    let made = 0;
    await expectScope(town, admin, (who) => who.post(PATH, { domain: `scope${(made += 1)}.example` }), {
      enough: ['admin:write:email_domain_blocks', 'admin:write'],
      others: ['write', 'admin:read'],
    });
  });
});
