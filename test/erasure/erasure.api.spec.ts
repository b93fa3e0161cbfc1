import { join } from 'node:path';
import { expect } from 'chai';
import { CLEARED, KEPT } from '#adapters/personal-data.ts';
import { createAccount, modifyUser } from '#commands/accounts/index.ts';
import { erase } from '#commands/erasure/index.ts';
import { removeRemoteAccount, upsertRemoteAccount, upsertRemoteStatus } from '#commands/federation/index.ts';
import { changeSettings } from '#commands/instance/index.ts';
import { emptyProfile } from '#events/accounts.ts';
import type { AdminAccount, Status } from '#mastodon/schemas/index.ts';
import { moderationBy } from '../admin-accounts/support.ts';
import { type Client, describeTown, ok, type Person } from '../support/people.ts';
import { still } from '../support/pictures.ts';
import { pushReceiver } from '../support/push-service.ts';
import { letFollow, suspendAccount } from '../support/remote.ts';
import { uploadForm } from '../support/uploads.ts';
import { filesBelow, filesWith, tablesWith } from './traces.ts';

/** Texts and addresses that only the erased account used. */
const CANARY = 'canaryplant';
const ADDRESS = '203.0.113.77';
const SIGN_UP_ADDRESS = '203.0.113.78';
const CANARIES = [CANARY, ADDRESS, SIGN_UP_ADDRESS];

describeTown('Erasing accounts', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let admin: Person;
  let mod: Person;
  let bob: Person;
  let by: ReturnType<typeof moderationBy>;
  let applicationId: string;
  before(async function () {
    this.timeout(120_000);
    owner = await town.staff('owner', 'Owner');
    admin = await town.staff('admin', 'Admin');
    mod = await town.staff('umpire', 'Moderator');
    bob = await town.person('bob');
    by = moderationBy(admin);
    ({ id: applicationId } = await ok(
      town.nobody.post<{ id: string }>('/api/v1/apps', {
        client_name: 'spec',
        redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
        scopes: 'read write push',
      }),
    ));
  });

  const media = (): string => join(town.app.config.dataDir, 'media');
  const erased = async (id: string, staff: Client = admin): Promise<void> => {
    expect(await ok(staff.delete(`/api/v1/admin/accounts/${id}`))).to.deep.equal({});
    await town.waitUntilIdle();
  };
  const gone = async (name: string): Promise<Person> => {
    const person = await town.person(name);
    await town.suspend(person);
    return person;
  };
  const keyOf = async (id: string): Promise<boolean | undefined> => {
    const [row] = await town.app.db.query<{ kept: boolean }>(
      'select wrapped is not null as kept from durable.subject_keys where subject = $1',
      [id],
    );
    return row?.kept;
  };

  describe('The permission to erase', () => {
    it('requires the scope, the permission, and a suspended account of lower rank', async () => {
      const person = await gone('perch');
      const [equal, higher, active] = [
        await town.staff('equal', 'Admin'),
        await town.staff('higher', 'Owner'),
        await town.person('active'),
      ];
      for (const each of [equal, higher]) await suspendAccount(town.app, each.id);
      await town.waitUntilIdle();
      const path = `/api/v1/admin/accounts/${person.id}`;
      const before = await town.events();
      expect((await town.nobody.delete(path)).status).to.equal(403);
      for (const client of [
        mod,
        await bob.withScopes('admin:write'),
        await admin.withScopes('admin:read', 'admin:write:reports', 'write'),
      ]) {
        expect((await client.delete(path)).status).to.equal(403);
      }
      for (const { id } of [equal, higher, active, admin]) {
        const { status, json } = await admin.delete(`/api/v1/admin/accounts/${id}`);
        expect([status, json]).to.deep.equal([403, { error: 'This action is not allowed' }]);
      }
      for (const id of ['1', 'x', '-1']) {
        expect((await admin.delete(`/api/v1/admin/accounts/${id}`)).status, id).to.equal(404);
      }
      expect(await town.events()).to.equal(before);
      const narrow = await admin.withScopes('admin:write:accounts');
      await erased(person.id, narrow);
    });

    it('allows it once, and nothing restores the account', async () => {
      const { id } = await gone('roost');
      await erased(id);
      const before = await town.events();
      const answers = [
        await admin.delete(`/api/v1/admin/accounts/${id}`),
        await owner.delete(`/api/v1/admin/accounts/${id}`),
        await admin.post(`/api/v1/admin/accounts/${id}/unsuspend`),
        await admin.post(`/api/v1/admin/accounts/${id}/action`, { type: 'none', text: 'x' }),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([403, 403, 404, 404]);
      expect(await town.events()).to.equal(before);
    });
  });

  describe('The data of an erased account', () => {
    let willow: Person;
    let avatar: string;
    let earlier: { files: string[]; bob: Record<string, number> };
    let bobsPost: string;
    let posts: string[];

    const countsOfBob = async (): Promise<Record<string, number>> => {
      const { json } = await bob.get<Record<string, number>>(`/api/v1/accounts/${bob.id}`);
      const { followers_count, following_count, statuses_count } = json;
      return { followers_count, following_count, statuses_count } as Record<string, number>;
    };

    before(async function () {
      this.timeout(60_000);
      bobsPost = (await ok(bob.post<Status>('/api/v1/statuses', { status: 'A post by somebody else' }))).id;
      await town.waitUntilIdle();
      earlier = { files: await filesBelow(media()), bob: await countsOfBob() };
      willow = await plant();
      await town.waitUntilIdle();
    });

    /** Creates a user who leaves data in every place that stores any. */
    async function plant(): Promise<Person> {
      const id = await createAccount(town.app.systemContext('spec'), {
        username: 'willow',
        email: `${CANARY}@first.example`,
        password: 'correct horse',
        locale: 'en',
        confirmed: true,
        approved: true,
        role: null,
        reason: `${CANARY} reason`,
        applicationId,
        signUpIp: SIGN_UP_ADDRESS,
      });
      await modifyUser(town.app.systemContext('spec'), id, { email: `${CANARY}@second.example` });
      const scopes = ['read', 'write', 'follow', 'push'];
      const { access_token: token } = await town.app.tokens.issue({ applicationId, accountId: id, scopes });
      const client = town.withToken(token);
      const person = { ...client, id, username: 'willow', token } as Person;
      await town.waitUntilIdle();
      await town.app.db.query(
        'insert into durable.account_addresses (account_id, ip, used_at) values ($1, $2, now())',
        [id, ADDRESS],
      );
      const send = <Json = { id: string }>(path: string, body: object = {}): Promise<Json> =>
        ok(client.post<Json>(path, body));
      const profile = new FormData();
      profile.set('avatar', new Blob([new Uint8Array(await still('teal'))], { type: 'image/png' }), 'a.png');
      profile.set('display_name', `${CANARY} name`);
      profile.set('note', `${CANARY} note`);
      profile.set('indexable', 'true');
      profile.set('discoverable', 'true');
      profile.set('fields_attributes[0][name]', `${CANARY} field`);
      profile.set('fields_attributes[0][value]', `${CANARY} value`);
      const { avatar: shown } = await ok(
        client.patch<{ avatar: string }>('/api/v1/accounts/update_credentials', profile),
      );
      avatar = shown;
      const upload = async (color: string) =>
        (
          await send(
            '/api/v2/media',
            uploadForm(await still(color), { description: `${CANARY} description` }),
          )
        ).id;
      const [attached, unused, planned] = [await upload('red'), await upload('blue'), await upload('green')];
      expect(unused).to.be.a('string');
      const first = await send('/api/v1/statuses', {
        status: `${CANARY} text #rooks #${CANARY}tag`,
        spoiler_text: `${CANARY} warning`,
        media_ids: [attached],
      });
      await ok(
        client.put(`/api/v1/statuses/${first.id}`, {
          status: `${CANARY} edited #${CANARY}tag`,
          spoiler_text: `${CANARY} warning`,
          media_ids: [attached],
        }),
      );
      const poll = await send('/api/v1/statuses', {
        status: `${CANARY} question`,
        poll: { options: [`${CANARY} yes`, `${CANARY} no`], expires_in: 3_600 },
      });
      const direct = await send('/api/v1/statuses', {
        status: `@bob ${CANARY} secret`,
        visibility: 'direct',
      });
      const reply = await send('/api/v1/statuses', {
        status: `@bob ${CANARY} reply`,
        in_reply_to_id: bobsPost,
      });
      const deleted = await send('/api/v1/statuses', { status: `${CANARY} soon deleted` });
      await ok(client.delete(`/api/v1/statuses/${deleted.id}`));
      posts = [first.id, poll.id, direct.id, reply.id, deleted.id];
      for (const what of ['reblog', 'favourite', 'bookmark'])
        await send(`/api/v1/statuses/${bobsPost}/${what}`);
      await send(`/api/v1/statuses/${first.id}/pin`);
      await send(`/api/v1/accounts/${bob.id}/follow`);
      await send(`/api/v1/accounts/${bob.id}/note`, { comment: `${CANARY} about bob` });
      await send('/api/v1/lists', { title: `${CANARY} list` });
      await send('/api/v2/filters', {
        title: `${CANARY} filter`,
        context: ['home'],
        filter_action: 'warn',
        keywords_attributes: [{ keyword: `${CANARY} keyword`, whole_word: false }],
      });
      await send('/api/v1/collections', { name: `${CANARY} collection`, description: `${CANARY} described` });
      await send('/api/v1/statuses', {
        status: `${CANARY} scheduled`,
        media_ids: [planned],
        scheduled_at: new Date(Date.now() + 3_600_000 * 24).toISOString(),
      });
      await send('/api/v1/reports', { account_id: bob.id, comment: `${CANARY} report` });
      await send('/api/v1/featured_tags', { name: `${CANARY}featured` });
      await send(`/api/v1/tags/${CANARY}followed/follow`);
      await send('/api/v1/domain_blocks', { domain: `${CANARY}.example` });
      await send('/api/v1/push/subscription', {
        subscription: { endpoint: `https://push.example/${CANARY}`, keys: pushReceiver().keys },
        data: { alerts: { mention: true } },
      });
      await send('/api/v1/markers', { home: { last_read_id: first.id } });
      await ok(bob.post(`/api/v1/accounts/${id}/follow`));
      await ok(bob.post(`/api/v1/statuses/${first.id}/favourite`));
      await ok(bob.post(`/api/v1/statuses/${first.id}/reblog`));
      await ok(bob.post('/api/v1/statuses', { status: 'An answer', in_reply_to_id: first.id }));
      await ok(
        bob.post('/api/v1/reports', { account_id: id, status_ids: [first.id], comment: 'Too many rooks' }),
      );
      await by.act({ id }, 'none', { text: `${CANARY} warned` });
      await by.act({ id }, 'suspend', { text: `${CANARY} suspended` });
      return person;
    }

    it('is found in tables and files before the erasure', async () => {
      const tables = (await tablesWith(town.app.db, CANARIES)).map((line) => line.split(':')[0] ?? '');
      const names = tables.map((name) => name.split('.').at(-1));
      expect(names).to.include.members([
        ...['accounts', 'account_search', 'account_warnings', 'account_notes', 'account_addresses'],
        ...['statuses', 'status_edits', 'status_search', 'polls', 'media_attachments', 'lists', 'filters'],
        ...['tags', 'status_tags', 'tag_account_days', 'tag_follows', 'featured_tags', 'user_domain_blocks'],
        ...['filter_keywords', 'collections', 'reports', 'scheduled_statuses', 'users', 'push_subscriptions'],
      ]);
      expect(names).not.to.include('events');
      expect(await filesWith(town.app.config.dataDir, CANARIES)).not.to.deep.equal([]);
      expect((await filesBelow(media())).length).to.be.greaterThan(earlier.files.length);
      expect(await keyOf(willow.id)).to.equal(true);
    });

    it('is in no table and no file once the key is destroyed', async () => {
      await erased(willow.id);
      expect(await keyOf(willow.id)).to.equal(false);
      expect(await tablesWith(town.app.db, CANARIES)).to.deep.equal([]);
      expect(await filesWith(town.app.config.dataDir, CANARIES)).to.deep.equal([]);
      const card = (path: string): boolean => earlier.files.includes(path);
      expect((await filesBelow(media())).filter((path) => !card(path))).to.deep.equal([]);
      expect((await fetch(avatar.replace(/^https?:\/\/[^/]+/, town.url))).status).to.equal(404);
    });

    it('is shown nowhere and counted nowhere', async () => {
      for (const id of posts) expect((await bob.get(`/api/v1/statuses/${id}`)).status).to.equal(404);
      expect((await willow.get('/api/v1/accounts/verify_credentials')).status).to.equal(401);
      // Bob has posted a reply since.
      expect(await countsOfBob()).to.deep.equal({
        ...earlier.bob,
        statuses_count: (earlier.bob['statuses_count'] ?? 0) + 1,
      });
      const { json: post } = await bob.get<Status>(`/api/v1/statuses/${bobsPost}`);
      expect(post).to.include({ favourites_count: 0, reblogs_count: 0, replies_count: 0 });
      for (const path of ['conversations', 'notifications', 'timelines/home', 'favourites']) {
        const { status, json } = await bob.get(`/api/v1/${path}`);
        expect(status, path).to.equal(200);
        expect(JSON.stringify(json), path).not.to.contain(`"id":"${willow.id}"`);
      }
      const { json: found } = await bob.get('/api/v2/search?q=willow');
      expect(found).to.deep.include({ accounts: [], statuses: [] });
    });

    it('leaves an empty account that staff can find, and reports without the texts', async () => {
      const { json } = await admin.get<AdminAccount>(`/api/v1/admin/accounts/${willow.id}`);
      expect(json).to.include({ username: 'willow', email: '', ip: null, suspended: true });
      expect(json.ips).to.deep.equal([]);
      expect(json.account).to.include({
        display_name: '',
        note: '',
        followers_count: 0,
        following_count: 0,
        statuses_count: 0,
        last_status_at: null,
      });
      expect(json.account.fields).to.deep.equal([]);
      expect(json.account.avatar).to.match(/missing\.png$/);
      const { status, json: reports } = await admin.get<
        { comment: string; statuses: Status[]; account: AdminAccount }[]
      >('/api/v1/admin/reports?resolved=true');
      expect(status).to.equal(200);
      const about = reports.find(({ comment }) => comment === 'Too many rooks');
      expect(
        about?.statuses.map(({ content, media_attachments }) => ({ content, media_attachments })),
      ).to.deep.equal([{ content: '', media_attachments: [] }]);
    });

    it('leaves the username taken and frees the email address', async () => {
      await changeSettings(town.app.systemContext('spec'), { registrations: 'open' });
      const app = await town.appOnly();
      const signUp = (username: string, email: string) =>
        app.post<{ details?: Record<string, unknown> }>('/api/v1/accounts', {
          username,
          email,
          password: 'correct horse battery',
          agreement: true,
          locale: 'en',
        });
      const taken = await signUp('Willow', 'somebody@new.example');
      expect(taken.status).to.equal(422);
      expect(taken.json.details).to.have.keys('username');
      for (const host of ['first', 'second']) {
        const free = await signUp(`osier${host}`, `willow.gone@${host}.example`);
        expect(free.status, JSON.stringify(free.json)).to.equal(200);
      }
      const again = await signUp('osier', `${CANARY}@second.example`);
      expect(again.status, JSON.stringify(again.json)).to.equal(200);
    });

    it('is not erased twice', async () => {
      await town.waitUntilIdle();
      const before = await town.events();
      await erase(town.app.systemContext('spec'), willow.id, new AbortController().signal);
      expect(await town.events()).to.equal(before);
    });
  });

  it('is retried after a failure, and continues with the rest', async () => {
    const person = await gone('sedge');
    const { services } = town.app.contextDependencies;
    const { forget } = services.personalData;
    let tries = 0;
    services.personalData.forget = (...given) => {
      tries += 1;
      if (tries < 3) throw new Error('away');
      return forget(...given);
    };
    try {
      await erased(person.id);
    } finally {
      services.personalData.forget = forget;
    }
    expect(tries).to.equal(3);
    expect(await keyOf(person.id)).to.equal(false);
    const [left] = await town.app.db.query('select 1 from durable.access_tokens where account_id = $1', [
      person.id,
    ]);
    expect(left).to.equal(undefined);
  });

  it('works for accounts of other servers too, which cannot be created again', async () => {
    const uri = 'https://remote.example/users/rita';
    const remember = (note: string): Promise<string | undefined> =>
      upsertRemoteAccount(
        town.app.systemContext('spec'),
        {
          username: 'rita',
          domain: 'remote.example',
          uri,
          url: uri,
          inboxes: { inbox: `${uri}/inbox`, shared_inbox: null, followers_uri: null },
          suspended: false,
          createdAt: '2026-01-01T00:00:00.000Z',
          profile: { ...emptyProfile, note, note_html: note },
        },
        { confirmed: true },
      );
    const id = (await remember('remoteplant note')) ?? '';
    await town.waitUntilIdle();
    await letFollow(town.app, bob.id, id);
    await suspendAccount(town.app, id);
    await town.waitUntilIdle();
    await erased(id);
    const before = await town.events();
    expect(await remember('remoteplant again')).to.equal(undefined);
    expect(await town.events()).to.equal(before);
    expect(await tablesWith(town.app.db, ['remoteplant'])).to.deep.equal([]);
    const { json } = await bob.get<object[]>(`/api/v1/accounts/relationships?id[]=${id}&with_suspended=true`);
    expect(json).to.deep.equal([]);
    const left = await town.app.db.query(
      'select id from follows where target_account_id = $1 union select id from follow_requests where target_account_id = $1',
      [id],
    );
    expect(left).to.deep.equal([]);
  });

  it('happens after a remote server deletes the account, once no open report needs its posts', async () => {
    const uri = 'https://remote.example/users/rolf';
    const ctx = () => town.app.systemContext('spec');
    const profile = { ...emptyProfile, display_name: 'rolfplant', avatar: { original: uri, static: uri } };
    const inboxes = { inbox: `${uri}/inbox`, shared_inbox: null, followers_uri: null };
    const id =
      (await upsertRemoteAccount(
        ctx(),
        {
          username: 'rolf',
          domain: 'remote.example',
          uri,
          url: uri,
          inboxes,
          profile,
          suspended: false,
          createdAt: '2026-01-01T00:00:00.000Z',
        },
        { confirmed: true },
      )) ?? '';
    const statusId =
      (await upsertRemoteStatus(ctx(), {
        account_id: id,
        uri: `${uri}/1`,
        url: null,
        created_at: '2026-11-20T08:00:00.000Z',
        content: '<p>rolfplant post</p>',
        spoiler_text: '',
        sensitive: false,
        language: null,
        visibility: 'public',
        mentions: [],
        tags: [],
        media: [],
        poll: null,
        in_reply_to_id: null,
        in_reply_to_account_id: null,
        conversation_id: null,
        quote: null,
        quote_policy: 'nobody',
      })) ?? '';
    await town.waitUntilIdle();
    await letFollow(town.app, id, bob.id);
    await town.waitUntilIdle();
    const followers = async () =>
      (await ok(bob.get<{ followers_count: number }>('/api/v1/accounts/verify_credentials'))).followers_count;
    const before = await followers();
    await ok(bob.post('/api/v1/reports', { account_id: id, status_ids: [statusId] }));
    const [{ id: reportId } = { id: '' }] = await ok(
      admin.get<{ id: string }[]>(`/api/v1/admin/reports?target_account_id=${id}`),
    );
    await removeRemoteAccount(ctx(), id);
    await town.waitUntilIdle();
    expect(await followers()).to.equal(before - 1);
    expect(await keyOf(id), 'the report is still open').to.equal(true);
    const report = await ok(admin.get<{ statuses: Status[] }>(`/api/v1/admin/reports/${reportId}`));
    expect(report.statuses[0]?.content).to.contain('rolfplant');
    await ok(admin.post(`/api/v1/admin/reports/${reportId}/resolve`));
    await town.waitUntilIdle();
    expect(await keyOf(id)).to.equal(false);
    expect(await tablesWith(town.app.db, ['rolfplant'])).to.deep.equal([]);
    const events = await town.events();
    await removeRemoteAccount(ctx(), id);
    await town.waitUntilIdle();
    expect(await town.events()).to.equal(events);
  });

  it('happens when a sign-up is rejected', async () => {
    await changeSettings(town.app.systemContext('spec'), { registrations: 'approved' });
    const app = await town.appOnly();
    const signUp = () =>
      app.post('/api/v1/accounts', {
        username: 'reed',
        email: 'rejectedplant@example.org',
        password: 'correct horse battery',
        agreement: true,
        locale: 'en',
        reason: 'rejectedplant reason',
      });
    await ok(signUp());
    const { json } = await town.nobody.get<{ id: string }>('/api/v1/accounts/lookup?acct=reed');
    await by.act(json, 'none', { text: 'rejectedplant warning' });
    expect(await tablesWith(town.app.db, ['rejectedplant'])).not.to.deep.equal([]);
    await by.does(json, 'reject');
    await town.waitUntilIdle();
    expect(await keyOf(json.id)).to.equal(false);
    expect(await tablesWith(town.app.db, ['rejectedplant'])).to.deep.equal([]);
    expect(await filesWith(town.app.config.dataDir, ['rejectedplant'])).to.deep.equal([]);
    await ok(signUp());
  });

  it('covers every durable table that refers to an account', async () => {
    const columns = await town.app.db.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'durable' and column_name like '%account%'`,
    );
    const unknown = columns.filter(({ table, column }) => CLEARED[table] !== column && !(table in KEPT));
    expect(unknown, 'List it in CLEARED of src/adapters/personal-data.ts, or a reason in KEPT').to.deep.equal(
      [],
    );
  });
});
