import { expect } from 'chai';
import sharp from 'sharp';
import { accountStream } from '#events/accounts.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('Updating credentials', () => {
  let server: TestServer;
  let alice: TestUser;

  before(async function () {
    this.timeout(60_000);
    server = await startTestServer();
    alice = await server.user('alice');
    await server.user('bob');
  });
  after(() => server.close());

  const update = (body: unknown, token = alice.token): Promise<Answer> =>
    server.call('PATCH', '/api/v1/accounts/update_credentials', { token, body });
  const events = async (): Promise<number> =>
    (await server.app.log.readStream(accountStream(alice.id))).length;

  it('changes names, texts and flags, and shows them publicly', async () => {
    const { status, body } = await update({
      display_name: 'Alice A.',
      note: 'Friend of @bob, see #birds',
      locked: true,
      bot: true,
      discoverable: true,
      hide_collections: true,
      indexable: true,
      noindex: true,
      attribution_domains: ['example.org'],
      fields_attributes: [{ name: 'Web', value: 'https://example.org' }],
    });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ display_name: 'Alice A.', locked: true, bot: true, discoverable: true });
    expect(body.source).to.deep.include({ note: 'Friend of @bob, see #birds', hide_collections: true });
    const shown = await server.call('GET', `/api/v1/accounts/${alice.id}`);
    expect(shown.body).to.include({ indexable: true, noindex: true });
    expect(shown.body.note).to.contain('https://rookery.example/@bob').and.to.contain('/tags/birds');
    expect(shown.body.fields[0].value).to.contain('rel="nofollow noopener me"');
  });

  it('changes attribution domains only by a list', async () => {
    const domainsAfter = async (attribution_domains: unknown): Promise<unknown> =>
      (await update({ attribution_domains })).body.source.attribution_domains;
    expect(await domainsAfter(['example.org'])).to.deep.equal(['example.org']);
    for (const ignored of [null, '', 'example.com', { a: 'example.com' }])
      expect(await domainsAfter(ignored), JSON.stringify(ignored)).to.deep.equal(['example.org']);
    for (const none of [[''], []]) {
      expect(await domainsAfter(['example.org'])).to.deep.equal(['example.org']);
      expect(await domainsAfter(none), JSON.stringify(none)).to.deep.equal([]);
    }
  });

  it('keeps profile fields in the order of the request, whatever their numbers', async () => {
    const form = new URLSearchParams();
    for (const index of ['420', '69', '-7']) {
      form.append(`fields_attributes[${index}][name]`, index);
      form.append(`fields_attributes[${index}][value]`, 'x');
    }
    const json = { 69: { name: '69', value: 'x' }, '-7': { name: '-7', value: 'x' } };
    for (const [body, names] of [
      [form, ['420', '69', '-7']],
      [{ fields_attributes: json }, ['69', '-7']],
    ]) {
      const { body: changed } = await update(body);
      expect(changed.fields?.map(({ name }: { name: string }) => name)).to.deep.equal(names);
    }
  });

  it('reads profile fields and source from forms', async () => {
    const form = new URLSearchParams([
      ['fields_attributes[0][name]', 'One'],
      ['fields_attributes[0][value]', '1'],
      ['fields_attributes[1][name]', 'Two'],
      ['fields_attributes[1][value]', '2'],
      ['source[privacy]', 'private'],
      ['source[sensitive]', 'true'],
      ['source[language]', 'de'],
      ['source[quote_policy]', 'followers'],
    ]);
    const { status, body } = await update(form);
    expect(status).to.equal(200);
    expect(body.fields.map(({ name }: { name: string }) => name)).to.deep.equal(['One', 'Two']);
    expect(body.source).to.include({
      privacy: 'private',
      sensitive: true,
      language: 'de',
      quote_policy: 'followers',
    });
  });

  it('ignores an empty or missing source, and records nothing when nothing changes', async () => {
    const before = await events();
    for (const body of [
      {},
      { source: {} },
      { source: '' },
      { source: null },
      { source: [] },
      { source: [''] },
      { source: 'undefined', fields_attributes: 'undefined' },
      new URLSearchParams('source='),
      new URLSearchParams('source[]='),
      new URLSearchParams('source'),
      new URLSearchParams('fields_attributes=undefined'),
    ]) {
      expect((await update(body)).status).to.equal(200);
    }
    expect((await update({ display_name: 'Alice A.', source: { privacy: 'private' } })).status).to.equal(200);
    expect((await update(undefined)).status).to.equal(200);
    expect(await events()).to.equal(before);
  });

  it('accepts pictures, and records nothing for the same pictures again', async () => {
    const png = await sharp({ create: { width: 600, height: 500, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('avatar', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'me.png');
    form.set('header', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'hills.png');
    const { status, body } = await update(form);
    expect(status).to.equal(200);
    expect(body.avatar).to.match(/\/media\/.+\.png$/);
    expect(body.header)
      .to.match(/\/media\/.+\.png$/)
      .and.not.to.equal(body.avatar);
    const before = await events();
    await update(form);
    expect(await events(), 'the same pictures again').to.equal(before);
  });

  it('refuses invalid values and changes nothing', async () => {
    const before = await events();
    const broken = new FormData();
    broken.set('avatar', new Blob(['no picture']), 'me.png');
    for (const body of [
      { display_name: 'x'.repeat(41), note: 'fine' },
      { note: 'x'.repeat(501) },
      { source: { language: 'qqq' } },
      { source: { privacy: 'direct' } },
      { fields_attributes: Array.from({ length: 5 }, (_, n) => ({ name: `${n}`, value: 'x' })) },
      broken,
    ]) {
      expect((await update(body)).status, JSON.stringify(body)).to.equal(422);
    }
    expect(await events()).to.equal(before);
  });

  it('requires the scope', async () => {
    const reader = await server.tokenFor(alice.id, ['read']);
    expect((await update({ display_name: 'x' }, reader)).status).to.equal(403);
  });
});
