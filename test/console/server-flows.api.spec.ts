import { expect } from 'chai';
import type { AdminDomainBlock, AdminSettings, AdminTerms } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, headingOf, inMain, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { actionsAfter, eventsOf, picture, sendFile } from './server-support.ts';

const textOf = (answer: Answer): string =>
  inMain(answer, 'section')
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ');

describe('The acts of staff on the pages of the server', function () {
  this.timeout(60_000);
  let server: TestServer;
  let boss: Browser;
  let owner: TestUser;

  before(async () => {
    server = await startTestServer();
    owner = await server.user('boss', { role: 'Owner', scopes: ['read', 'admin:read', 'admin:write'] });
    boss = await signedIn(server, 'boss');
  });
  after(() => server.close());

  const get = async <Json>(path: string): Promise<Json> =>
    (await server.call('GET', `/api/v1/admin/${path}`, { token: owner.token })).body as Json;
  const blocks = (): Promise<AdminDomainBlock[]> => get('domain_blocks');
  /** Opens a page and sends its form. */
  const fillIn = async (path: string, fields: Record<string, string> = {}): Promise<Answer> => {
    expect((await boss.open(path)).status, path).to.equal(200);
    return boss.submit(path.split('?')[0] ?? '', fields);
  };
  /** Runs an act, which leads to a page. Returns what is in the audit log because of it. */
  const audited = async (act: () => Promise<Answer>, done: string): Promise<string[]> => {
    const before = await eventsOf(server);
    expect(doneOf(await follow(boss, await act()))).to.equal(done);
    return actionsAfter(server, owner, before);
  };

  it('says what a block will do before it blocks', async () => {
    const before = await eventsOf(server);
    const fields = { domain: 'Loud.Example', severity: 'suspend', public_comment: 'Spam' };
    const asked = await fillIn('/admin/domain_blocks/new', fields);
    expect(headingOf(asked)).to.equal('Block: loud.example?');
    expect(textOf(asked)).to.contain('No follows end.').and.contain('audit log');
    expect(await eventsOf(server)).to.equal(before);
    const actions = await audited(
      () => boss.submit('/admin/domain_blocks/new', { step: 'confirm' }),
      'The block is in force.',
    );
    expect(actions).to.deep.equal(['domain_block.created']);
    const [block] = await blocks();
    expect(block).to.include({ domain: 'loud.example', severity: 'suspend', public_comment: 'Spam' });
  });

  it('refuses a domain that is none, and one that is blocked already', async () => {
    const before = await eventsOf(server);
    expect(
      textOf(await fillIn('/admin/domain_blocks/new', { domain: 'x y', severity: 'suspend' })),
    ).to.contain('is no domain');
    const again = { step: 'confirm', domain: 'loud.example', severity: 'silence' };
    const answer = await fillIn('/admin/domain_blocks/new', again);
    expect(answer.status).to.equal(422);
    expect(alertOf(answer)).to.contain('already imposed stricter limits');
    expect(await eventsOf(server)).to.equal(before);
  });

  it('changes and removes a block, each after a question', async () => {
    const [block] = await blocks();
    const path = `/admin/domain_blocks/${block?.id ?? ''}`;
    expect(textOf(await fillIn(`${path}/edit`, { severity: 'silence' }))).to.contain(
      'The severity is Suspend now',
    );
    const changed = await audited(
      () => boss.submit(`${path}/edit`, { step: 'confirm' }),
      'The block is in force.',
    );
    expect(changed).to.deep.equal(['domain_block.updated']);
    const removed = await audited(() => fillIn(`${path}/remove`), 'The block is removed.');
    expect(removed).to.deep.equal(['domain_block.deleted']);
    expect(await blocks()).to.deep.equal([]);
  });

  it('shows what a list would change, and changes that alone', async () => {
    const before = await eventsOf(server);
    const list = '#domain,#severity\nfar.example,suspend\nnear.example,silence\nno domain,suspend\n';
    const path = '/admin/domain_blocks/import';
    const plan = await sendFile(server, boss, path, { file: new Blob([list]), merge: 'stricter' });
    expect(plan.status).to.equal(200);
    expect(textOf(plan))
      .to.contain('Nothing is changed yet')
      .and.contain('would add 2, change 0')
      .and.contain('4');
    expect(await eventsOf(server)).to.equal(before);
    const done = await sendFile(server, boss, path, { list, merge: 'stricter', step: 'confirm' });
    expect(textOf(done)).to.contain('Added 2, changed 0, unchanged 0.');
    expect((await blocks()).map(({ domain }) => domain)).to.have.members(['far.example', 'near.example']);
    const actions = await actionsAfter(server, owner, before);
    expect(actions).to.deep.equal(['domain_block.created', 'domain_block.created']);
    const again = await sendFile(server, boss, path, { list, merge: 'stricter', step: 'confirm' });
    expect(textOf(again)).to.contain('Added 0, changed 0, unchanged 2.');
  });

  it('refuses a list that is no text, and none at all', async () => {
    const before = await eventsOf(server);
    const path = '/admin/domain_allows/import';
    const pictured = await sendFile(server, boss, path, { file: await picture() });
    expect(pictured.status).to.equal(422);
    expect(alertOf(pictured)).to.equal('This file is no list: it is not text.');
    const empty = await sendFile(server, boss, path, { list: ' ' });
    expect(alertOf(empty)).to.equal('Choose a file, or write a list.');
    expect(await eventsOf(server)).to.equal(before);
  });

  it('allows a domain, and takes it from the list', async () => {
    const made = () => fillIn('/admin/domain_allows/new', { domain: 'friend.example' });
    expect(await audited(made, 'The domain is allowed.')).to.deep.equal(['domain_allow.created']);
    const [allow] = await get<{ id: string }[]>('domain_allows');
    const removed = () => fillIn(`/admin/domain_allows/${allow?.id ?? ''}/remove`);
    expect(await audited(removed, 'It is removed.')).to.deep.equal(['domain_allow.deleted']);
  });

  it('drafts, publishes, takes back and deletes an announcement', async () => {
    const text = { text: 'We move', when: 'draft' };
    await audited(() => fillIn('/admin/announcements/new', text), 'The announcement is saved.');
    const [draft] = await get<{ id: string; published_at: string | null }[]>('announcements');
    expect(draft?.published_at).to.equal(null);
    const path = `/admin/announcements/${draft?.id ?? ''}`;
    const changes = { text: 'We stay', starts_at: '2031-01-01T10:00', ends_at: '2031-01-02T10:00' };
    await audited(() => fillIn(`${path}/edit`, changes), 'The announcement is saved.');
    await audited(() => fillIn(`${path}/publish`), 'The announcement is published.');
    const [shown] = await get<object[]>('announcements');
    expect(shown).to.include({ text: 'We stay', starts_at: '2031-01-01T10:00:00.000Z' });
    await audited(() => fillIn(`${path}/unpublish`), 'The announcement is unpublished.');
    const deleted = await audited(() => fillIn(`${path}/delete`), 'It is removed.');
    expect(deleted).to.deep.equal(['announcement.deleted']);
    expect((await boss.open(`${path}/edit`)).status).to.equal(404);
  });

  it('keeps what was typed when times contradict each other', async () => {
    const before = await eventsOf(server);
    const times = { starts_at: '2031-01-02T10:00', ends_at: '2031-01-01T10:00' };
    const answer = await fillIn('/admin/announcements/new', { text: 'Eggs for all', ...times });
    expect(answer.status).to.equal(422);
    expect(alertOf(answer)).to.equal('It must end after it begins');
    expect(answer.body).to.contain('Eggs for all');
    expect(await eventsOf(server)).to.equal(before);
  });

  it('adds, translates, changes and removes a rule', async () => {
    await audited(() => fillIn('/admin/rules/new', { text: 'Be kind', hint: '' }), 'The rule is added.');
    await audited(
      () => fillIn('/admin/rules/1/translate', { language: 'de', text: 'Sei nett' }),
      'The rule is changed.',
    );
    await audited(
      () => fillIn('/admin/rules/1/translations/de', { text: 'Sei freundlich' }),
      'The rule is changed.',
    );
    await audited(() => fillIn('/admin/rules/1/edit', { text: 'Be kind, always' }), 'The rule is changed.');
    const wrong = await fillIn('/admin/rules/1/translate', { language: 'klingon?', text: 'x' });
    expect(wrong.status).to.equal(422);
    await audited(() => fillIn('/admin/rules/1/translations/de/remove'), 'The rule is changed.');
    const removed = await audited(() => fillIn('/admin/rules/1/remove'), 'The rule is removed.');
    expect(removed).to.deep.equal(['rule.deleted']);
  });

  it('publishes terms only after they are shown once more', async () => {
    const before = await eventsOf(server);
    const terms = { text: 'Be kind.\n\nFor ever.', effective_date: '2031-01-01' };
    const asked = await sendFile(server, boss, '/admin/terms/new', terms);
    expect(headingOf(asked)).to.equal('Publish these terms?');
    expect(await eventsOf(server)).to.equal(before);
    const done = await sendFile(server, boss, '/admin/terms/new', { ...terms, step: 'confirm' });
    expect(done.status).to.equal(303);
    expect(await get<AdminTerms[]>('terms')).to.deep.equal([
      { effective_date: '2031-01-01', effective: false, succeeded_by: null },
    ]);
    const earlier = await sendFile(server, boss, '/admin/terms/new', {
      ...terms,
      effective_date: '2030-01-01',
      step: 'confirm',
    });
    expect(alertOf(earlier)).to.contain('new ones must take effect later');
  });

  it('takes long terms', async () => {
    const terms = { text: 'Be kind. '.repeat(10_000), effective_date: '2032-01-01', step: 'confirm' };
    expect((await sendFile(server, boss, '/admin/terms/new', terms)).status).to.equal(303);
  });

  it('uploads, changes, disables and deletes an emoji', async () => {
    const before = await eventsOf(server);
    const fields = { shortcode: ':heron:', category: 'Birds', visible_in_picker: 'true' };
    const made = await sendFile(server, boss, '/admin/custom_emojis/new', {
      ...fields,
      image: await picture(),
    });
    expect(made.status, alertOf(made)).to.equal(303);
    expect(await actionsAfter(server, owner, before)).to.deep.equal(['custom_emoji.created']);
    const [emoji] = await get<{ id: string }[]>('custom_emojis');
    expect(emoji).to.include({
      shortcode: 'heron',
      category: 'Birds',
      visible_in_picker: true,
      disabled: false,
    });
    const path = `/admin/custom_emojis/${emoji?.id ?? ''}`;
    await audited(() => fillIn(`${path}/edit`, { category: '' }), 'The emoji is saved.');
    await audited(() => fillIn(`${path}/disable`), 'The emoji is saved.');
    const [changed] = await get<object[]>('custom_emojis');
    expect(changed).to.include({ category: null, visible_in_picker: false, disabled: true });
    await audited(() => fillIn(`${path}/enable`), 'The emoji is saved.');
    const deleted = await audited(() => fillIn(`${path}/delete`), 'It is removed.');
    expect(deleted).to.deep.equal(['custom_emoji.deleted']);
  });

  it('refuses emojis without a picture, of a file that is no picture, and of a wrong name', async () => {
    const before = await eventsOf(server);
    const path = '/admin/custom_emojis/new';
    const egg = new Blob(['not a picture'], { type: 'image/png' });
    for (const fields of [
      { shortcode: 'egg' },
      { shortcode: 'egg', image: egg },
      { shortcode: 'no name!', image: await picture() },
      { shortcode: 'egg', category: 'x'.repeat(200), image: await picture() },
    ]) {
      const answer = await sendFile(server, boss, path, fields);
      expect(answer.status).to.be.oneOf([400, 422]);
      expect(headingOf(answer)).to.be.a('string');
    }
    expect(await eventsOf(server)).to.equal(before);
  });

  it('changes settings of one group, says what is wrong, and resets one', async () => {
    const saved = await sendFile(server, boss, '/admin/settings', {
      title: 'The Rookery',
      languages: 'en, de',
    });
    expect(saved.status, alertOf(saved)).to.equal(303);
    const discovery = await sendFile(server, boss, '/admin/settings/discovery', {
      show_domain_blocks: 'all',
    });
    expect(discovery.status, alertOf(discovery)).to.equal(303);
    expect(await get<AdminSettings>('settings')).to.deep.include({
      title: 'The Rookery',
      languages: ['en', 'de'],
      show_domain_blocks: 'all',
      timeline_preview: false,
    });
    const before = await eventsOf(server);
    const look = { accent_color: 'blue', thumbnail: new Blob(['no picture'], { type: 'image/png' }) };
    const wrong = await sendFile(server, boss, '/admin/settings/look', look);
    expect(wrong.status).to.equal(422);
    expect(textOf(wrong)).to.contain('must be a colour such as #7a3b8f');
    expect(await eventsOf(server)).to.equal(before);
    const reset = await audited(
      () => fillIn('/admin/settings/reset/title'),
      'The settings of the server are saved.',
    );
    expect(reset).to.deep.equal(['settings.updated']);
    expect((await get<AdminSettings>('settings')).title).to.equal('');
  });

  it('blocks an e-mail domain, a mailbox and an address, and looks one up', async () => {
    const done = 'The block is in force.';
    await audited(() => fillIn('/admin/email_domain_blocks/new', { domain: 'mail.example' }), done);
    const email = 'Some.One+x@example.org';
    await audited(() => fillIn('/admin/canonical_email_blocks/new', { email }), done);
    const found = await fillIn('/admin/canonical_email_blocks/test', { email: 'someone@example.org' });
    expect(headingOf(found)).to.equal('This address is blocked');
    const other = await fillIn('/admin/canonical_email_blocks/test', { email: 'another@example.org' });
    expect(headingOf(other)).to.equal('This address is not blocked');
    const rule = { ip: '192.0.2.0/24', severity: 'no_access', expires_in: '86400', comment: 'Scrapers' };
    await audited(() => fillIn('/admin/ip_blocks/new', rule), done);
    const before = await eventsOf(server);
    for (const wrong of [
      { ...rule, ip: 'x' },
      { ...rule, severity: 'x' },
      { ...rule, ip: '127.0.0.0/8' },
    ]) {
      expect((await fillIn('/admin/ip_blocks/new', wrong)).status).to.equal(422);
    }
    expect(await eventsOf(server)).to.equal(before);
  });

  it('gives a role and takes it away, and refuses roles above the giver', async () => {
    const alice = await server.user('alice');
    const gave = await audited(
      () => fillIn('/admin/roles/give', { username: '@alice', role_id: '1' }),
      'The role is changed. The user has to sign in again.',
    );
    expect(gave).to.have.length(1);
    const took = await audited(
      () => fillIn(`/admin/roles/1/${alice.id}`, { role_id: '-99' }),
      'The role is changed. The user has to sign in again.',
    );
    expect(took).to.have.length(1);
    const before = await eventsOf(server);
    const unknown = await fillIn('/admin/roles/give', { username: 'nobody', role_id: '1' });
    expect(alertOf(unknown)).to.contain('not that of a user of this server');
    const own = await fillIn(`/admin/roles/3/${owner.id}`, { role_id: '-99' });
    expect(own.status).to.equal(403);
    await server.user('admin', { role: 'Admin' });
    const admin = await signedIn(server, 'admin');
    await admin.open('/admin/roles/give');
    const above = await admin.submit('/admin/roles/give', { username: 'alice', role_id: '3' });
    expect(above.status).to.equal(403);
    expect(alertOf(above)).to.equal('You cannot give a role above your own');
    const events = await server.app.log.readAll(before, 1_000);
    expect(events.filter(({ type }) => type === 'UserRoleChanged')).to.deep.equal([]);
  });
});
