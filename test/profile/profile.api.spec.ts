import { expect } from 'chai';
import sharp from 'sharp';
import type { Account, CredentialAccount, Profile } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('The own profile over the API', (town) => {
  let alice: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
  });

  const profile = async (): Promise<Profile> => (await alice.get<Profile>('/api/v1/profile')).json;
  const shown = async (): Promise<Account> =>
    (await town.nobody.get<Account>(`/api/v1/accounts/${alice.id}`)).json;

  it('has its defaults, with pictures as null', async () => {
    expect(await profile()).to.deep.equal({
      id: alice.id,
      display_name: '',
      note: '',
      fields: [],
      formatted_note: '',
      formatted_fields: [],
      avatar: null,
      avatar_static: null,
      avatar_description: '',
      header: null,
      header_static: null,
      header_description: '',
      locked: false,
      bot: false,
      hide_collections: null,
      discoverable: null,
      indexable: false,
      show_media: true,
      show_media_replies: true,
      show_featured: true,
      attribution_domains: [],
      featured_tags: [],
    });
  });

  it('is changed, and returns texts as they were typed', async () => {
    const wanted = {
      display_name: 'Alice A.',
      note: 'Likes #birds & tea',
      locked: true,
      discoverable: false,
      hide_collections: true,
      show_media: false,
      show_media_replies: false,
      show_featured: false,
      avatar_description: 'A rook',
      header_description: 'Hills',
      attribution_domains: ['articles.example.com'],
    };
    const { status, json } = await alice.patch<Profile>('/api/v1/profile', {
      ...wanted,
      fields_attributes: [{ name: 'Web', value: 'https://example.org' }],
    });
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json).to.deep.include(wanted);
    expect(json.fields).to.deep.equal([{ name: 'Web', value: 'https://example.org', verified_at: null }]);
    const { json: account } = await alice.get<Account>(`/api/v1/accounts/${alice.id}`);
    expect(json.formatted_note).to.equal(account.note).and.to.contain('<a ');
    expect(json.formatted_fields).to.deep.equal(account.fields);
    expect(await profile()).to.deep.equal(json);
    expect(await shown()).to.include({
      avatar_description: 'A rook',
      header_description: 'Hills',
      show_media: false,
      show_media_replies: false,
      show_featured: false,
    });
    const own = await alice.get<CredentialAccount>('/api/v1/accounts/verify_credentials');
    expect(own.json.source.attribution_domains).to.deep.equal(['articles.example.com']);
  });

  it('accepts pictures, whose removal keeps their descriptions', async () => {
    const png = await sharp({ create: { width: 60, height: 50, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('avatar', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'me.png');
    form.set('header', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'hills.png');
    form.set('avatar_description', 'A teal square');
    const { status, json } = await alice.patch<Profile>('/api/v1/profile', form);
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json.avatar).to.match(/^https?:.+\.png$/);
    expect(json).to.include({ avatar_description: 'A teal square', header_description: 'Hills' });
    expect(await shown()).to.include({ avatar: json.avatar, header: json.header });

    const without = await alice.delete<CredentialAccount>('/api/v1/profile/avatar');
    expect(without.status).to.equal(200);
    expect(without.json.avatar).to.contain('/avatars/original/missing.png');
    expect(await profile()).to.include({
      avatar: null,
      avatar_static: null,
      avatar_description: 'A teal square',
    });
    expect(await profile()).to.include({ header: json.header, header_description: 'Hills' });
    expect((await alice.delete('/api/v1/profile/header')).status).to.equal(200);
    expect(await profile()).to.include({ header: null, header_static: null, header_description: 'Hills' });

    const before = await town.events();
    expect((await alice.delete('/api/v1/profile/avatar')).status).to.equal(200);
    expect((await alice.delete('/api/v1/profile/header')).status).to.equal(200);
    expect(await town.events(), 'nothing left to delete').to.equal(before);
  });

  it('lists the featured hashtags', async () => {
    await alice.post('/api/v1/featured_tags', { name: 'Birds' });
    expect((await profile()).featured_tags.map(({ name }) => name)).to.deep.equal(['Birds']);
  });

  it('refuses invalid values, and then changes nothing', async () => {
    const before = await town.events();
    for (const body of [
      { display_name: 'x'.repeat(41), note: 'fine' },
      { avatar_description: 'x'.repeat(151) },
      { attribution_domains: ['not a domain'] },
      { attribution_domains: Array.from({ length: 11 }, (_, n) => `${n}.example`) },
    ]) {
      expect((await alice.patch('/api/v1/profile', body)).status, JSON.stringify(body)).to.equal(422);
    }
    expect(await town.events()).to.equal(before);
  });

  it('ignores preferences', async () => {
    await alice.patch('/api/v1/profile', { source: { privacy: 'unlisted' } });
    const { json } = await alice.get<Record<string, unknown>>('/api/v1/preferences');
    expect(json['posting:default:visibility']).to.not.equal('unlisted');
  });

  it('needs the right scope', async () => {
    const reader = await alice.withScopes('profile');
    expect((await reader.get('/api/v1/profile')).status).to.equal(200);
    expect((await reader.patch('/api/v1/profile', {})).status).to.equal(403);
    expect((await reader.delete('/api/v1/profile/avatar')).status).to.equal(403);
    expect((await town.nobody.get('/api/v1/profile')).status).to.equal(401);
  });
});
