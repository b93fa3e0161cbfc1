import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { changeSettings } from '#commands/instance/index.ts';
import { PreviewCardAttached } from '#events/statuses.ts';
import type {
  AdminAccount,
  AdminTag,
  AdminTrendsLink,
  AdminTrendsStatus,
  PreviewCardProvider,
  Status,
  Tag,
  TrendsLink,
} from '#mastodon/schemas/index.ts';
import { trendingTags } from '#queries/rankings/tags.ts';
import { rank } from '#reactors/rankings.ts';
import { actsOf } from '../notifications/support.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { textsMailedTo } from '../support/mails.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';

const HOUR = 3_600_000;

describeTown('Trends over the API', (town) => {
  let acts: ReturnType<typeof actsOf>;
  let people: Person[];
  let alice: Person;
  let bob: Person;
  let mod: Person;
  before(async function () {
    this.timeout(120_000);
    acts = actsOf(town);
    people = await Promise.all(
      ['alice', 'bob', 'carol', 'dan', 'erin', 'finn', 'gina'].map((name) =>
        town.person(name, { discoverable: true }),
      ),
    );
    [alice, bob] = people as [Person, Person];
    mod = await town.staff('mod', 'Moderator');
  });

  const system = () => town.app.systemContext('spec');
  const list = <Entity>(who: Client, path: string): Promise<Entity[]> =>
    acts.ok(who.get<Entity[]>(`/api/v1/${path}`));
  const everybodyPosts = async (status: string, by: readonly Person[] = people): Promise<Status[]> => {
    const posts = await Promise.all(
      by.map((who) => who.post<Status>('/api/v1/statuses', { status: `${who.username}: ${status}` })),
    );
    await town.waitUntilIdle();
    return posts.map(({ json }) => json);
  };
  /**
   * Lists of two items: links lead from the first page to the second and past it, and back; the same holds
   * for staff.
   */
  const readsOn = async (reader: Client, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      const who = path.startsWith('admin/') ? mod : reader;
      const linksAt = async (query: string) => (await who.get(`/api/v1/${path}${query}`)).links;
      expect(await linksAt(''), path).to.deep.equal({});
      expect(await linksAt('?limit=1'), path).to.deep.equal({ next: 'limit=1&offset=1' });
      expect(await linksAt('?limit=1&offset=1'), path).to.deep.equal({ next: 'limit=1&offset=2' });
      expect(await linksAt('?limit=1&offset=2'), path).to.deep.equal({ prev: 'limit=1&offset=1' });
    }
  };
  const names = (tags: readonly Tag[]): string[] => tags.map(({ name }) => name);
  const mails = async (): Promise<string[]> => {
    const folder = join(town.app.config.dataDir, 'mail');
    const files = await readdir(folder).catch(() => []);
    return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  };

  const mailsTo = async (who: Person): Promise<string[]> => {
    const { email } = await acts.ok(mod.get<AdminAccount>(`/api/v1/admin/accounts/${who.id}`));
    return textsMailedTo(email, town.app.config.dataDir);
  };

  /** Decides as staff. */
  const decide = <Entity>(what: string, verb: 'approve' | 'reject'): Promise<Entity> =>
    acts.ok(mod.post<Entity>(`/api/v1/admin/trends/${what}/${verb}`));
  const setDefault = async (trendable_by_default: boolean): Promise<void> => {
    await changeSettings(system(), { trendable_by_default });
    await town.waitUntilIdle();
  };

  describe('of hashtags', () => {
    before(async () => {
      await everybodyPosts('#Blahaj and #fish');
      await everybodyPosts('#fish again, and #single', [alice]);
      await everybodyPosts('#fish', [bob]);
      await everybodyPosts('#four are too few', people.slice(0, 4));
      await rank(system(), 'tags');
      await rank(system(), 'reviews');
      await town.waitUntilIdle();
    });

    it('wait for staff, who see them and get a mail, once', async () => {
      expect(await list(alice, 'trends/tags')).to.deep.equal([]);
      const all = await list<AdminTag>(mod, 'admin/trends/tags');
      expect(names(all)).to.deep.equal(['Blahaj', 'fish']);
      expect(all[0]).to.include({ trendable: false, requires_review: true, usable: true });
      expect(all[0]?.history[0]).to.include({ accounts: '7', uses: '7' });
      const before = await mails();
      const [asking = '', ...more] = before.filter((mail) => /Subject: New trends on/.test(mail));
      expect(more, 'one mail for both').to.deep.equal([]);
      expect(asking).to.match(/To: mod-/);
      for (const name of ['Blahaj', 'fish']) expect(asking).to.contain(`/tags/${name}`);
      expect(asking).to.match(/rookery trends list.*rookery trends allow/s);
      const events = await town.events();
      await rank(system(), 'reviews');
      await town.waitUntilIdle();
      expect(await town.events()).to.equal(events);
      expect(await mails()).to.have.length(before.length);
    });

    it('are shown when staff allow them, and no longer when staff reject them', async () => {
      const [blahaj, fish] = await list<AdminTag>(mod, 'admin/trends/tags');
      const path = `/api/v1/admin/trends/tags/${blahaj?.id}`;
      const approved = await acts.ok(mod.post<AdminTag>(`${path}/approve`));
      expect(approved).to.include({ name: 'Blahaj', trendable: true, requires_review: false });
      const [shown, ...more] = await list<Tag>(alice, 'trends/tags');
      expect(more).to.deep.equal([]);
      expect(shown).to.include({ id: blahaj?.id, name: 'Blahaj', following: false });
      const [public_] = await list<Tag>(town.nobody, 'trends');
      expect(public_).not.to.have.property('following');
      expect(public_?.name).to.equal('Blahaj');

      await acts.ok(mod.post(`/api/v1/admin/trends/tags/${fish?.id}/approve`));
      expect(names(await list(alice, 'trends/tags'))).to.deep.equal(['Blahaj', 'fish']);
      expect(names(await list(alice, 'trends/tags?limit=1&offset=1'))).to.deep.equal(['fish']);
      expect(names(await list(alice, 'trends/tags?limit=-5&offset=-4'))).to.have.length(2);
      await readsOn(alice, ['trends/tags', 'trends', 'admin/trends/tags']);

      const events = await town.events();
      await acts.ok(mod.post(`${path}/approve`));
      expect(await town.events()).to.equal(events);
      const rejected = await acts.ok(mod.post<AdminTag>(`${path}/reject`));
      expect(rejected).to.include({ trendable: false, requires_review: false });
      expect(names(await list(alice, 'trends/tags'))).to.deep.equal(['fish']);
    });

    it('decay with a half-life of four hours from the last account that used them', async () => {
      const seven = await trendingTags(town.app.db, new Date(Date.now() + 20 * HOUR).toISOString());
      expect(seven, 'a score of 36 is above one for 20.7 hours').to.deep.equal(['blahaj', 'fish']);
      expect(await trendingTags(town.app.db, new Date(Date.now() + 21 * HOUR).toISOString())).to.deep.equal(
        [],
      );
    });

    it('are all listed for staff, and shown one by one', async () => {
      const all = await list<AdminTag>(mod, 'admin/tags?limit=200');
      expect(names(all)).to.include.members(['Blahaj', 'fish', 'single']);
      const ids = all.map(({ id }) => BigInt(id));
      expect(ids).to.deep.equal([...ids].sort((a, b) => (a < b ? 1 : -1)));
      const [first, second] = all;
      const { json: page, links } = await mod.get<AdminTag[]>('/api/v1/admin/tags?limit=1');
      expect(page).to.deep.equal([first]);
      expect(links['next']).to.equal(`limit=1&max_id=${first?.id}`);
      expect(await list<AdminTag>(mod, `admin/tags?limit=1&max_id=${first?.id}`)).to.deep.equal([second]);
      const path = `/api/v1/admin/tags/${first?.id}`;
      expect(await acts.ok(mod.get<AdminTag>(path))).to.deep.equal(first);
      expect((await mod.get('/api/v1/admin/tags/1')).status).to.equal(404);
      for (const who of [alice, await mod.withScopes('read')]) {
        expect((await who.get(path)).status).to.equal(403);
        expect((await who.get('/api/v1/admin/tags')).status).to.equal(403);
      }
    });

    it('are reviewed on the command line too, all or none', async () => {
      const wrong = await rookeryBeside(town.app, 'tags', 'allow', 'single', 'not one');
      expect(wrong.code).to.equal(64);
      const trendable = async (): Promise<boolean | undefined> =>
        (await list<AdminTag>(mod, 'admin/tags?limit=200')).find(({ name }) => name === 'single')?.trendable;
      expect(await trendable()).to.equal(false);
      expect(await rookeryBeside(town.app, 'tags', 'allow', '#single')).to.include({ code: 0 });
      expect(await trendable()).to.equal(true);
      expect(await rookeryBeside(town.app, 'tags', 'reject', 'single')).to.include({ code: 0 });
      expect(await trendable()).to.equal(false);
    });

    it('are spelled as staff correct them, but stay the same hashtags', async () => {
      const { id } = await acts.ok(alice.get<Tag>('/api/v1/tags/blahaj'));
      const corrected = await acts.ok(
        mod.put<AdminTag>(`/api/v1/admin/tags/${id}`, { display_name: '#BlåHaj' }),
      );
      expect(corrected.name).to.equal('BlåHaj');
      await everybodyPosts('#blahaj', [alice]);
      expect((await acts.ok(alice.get<Tag>('/api/v1/tags/blahaj'))).name).to.equal('BlåHaj');
      await acts.ok(mod.put(`/api/v1/admin/tags/${id}`, { display_name: 'BLAHAJ', trendable: 'true' }));
      expect(names(await list(alice, 'trends/tags'))).to.include('BLAHAJ');
      for (const display_name of ['shark', '', 'two words', 'x'.repeat(300), 7]) {
        const { status } = await mod.put(`/api/v1/admin/tags/${id}`, { display_name });
        expect(status, String(display_name)).to.equal(422);
      }
      expect((await acts.ok(alice.get<Tag>('/api/v1/tags/blahaj'))).name).to.equal('BLAHAJ');
    });

    it('are reviewed by staff only', async () => {
      const [tag] = await list<AdminTag>(mod, 'admin/trends/tags');
      const user = await bob.withScopes('read', 'write', 'admin:read', 'admin:write');
      const reader = await mod.withScopes('admin:read');
      for (const action of ['approve', 'reject']) {
        const path = `/api/v1/admin/trends/tags/${tag?.id}/${action}`;
        expect((await user.post(path)).status).to.equal(403);
        expect((await reader.post(path)).status).to.equal(403);
        expect((await town.nobody.post(path)).status).to.equal(403);
        for (const id of ['1', '0', 'blahaj', '9'.repeat(30)]) {
          expect((await mod.post(`/api/v1/admin/trends/tags/${id}/${action}`)).status, id).to.equal(404);
        }
      }
      for (const what of ['tags', 'statuses', 'links']) {
        expect((await user.get(`/api/v1/admin/trends/${what}`)).status).to.equal(403);
        expect((await (await mod.withScopes('read')).get(`/api/v1/admin/trends/${what}`)).status).to.equal(
          403,
        );
      }
    });
  });

  describe('of posts', () => {
    const texts = (statuses: readonly Status[]): string[] =>
      statuses.map(({ content }) => content.replace(/<[^>]*>/g, ''));
    /** All other users favourite it, which makes it trend. */
    const popular = async (by: Person, body: object, fans = people): Promise<Status> => {
      const post = await acts.post(by, body);
      await Promise.all(
        fans.filter((fan) => fan !== by).map((fan) => fan.post(`/api/v1/statuses/${post.id}/favourite`)),
      );
      await town.waitUntilIdle();
      return post;
    };

    it("are favourited and reblogged posts, in the viewer's languages first", async () => {
      const shy = await town.person('shy', { discoverable: false });
      await popular(alice, { status: 'english', language: 'en' });
      const german = await popular(bob, { status: 'deutsch', language: 'de' });
      await bob.post(`/api/v1/statuses/${german.id}/reblog`);
      await popular(shy, { status: 'not to be found' });
      await popular(alice, { status: 'hidden', spoiler_text: 'careful' });
      await popular(alice, { status: 'quiet', visibility: 'unlisted' });
      await popular(alice, { status: 'lonely' }, [bob]);
      const [ana, ...fans] = people.slice(2);
      await popular(ana as Person, { status: 'four fans are too few' }, fans);
      await town.waitUntilIdle();
      await rank(system(), 'statuses');
      expect(await list(alice, 'trends/statuses')).to.deep.equal([]);
      await acts.act(alice, `accounts/${mod.id}/block`);
      const waiting = await list<AdminTrendsStatus>(mod, 'admin/trends/statuses');
      await acts.act(alice, `accounts/${mod.id}/unblock`);
      expect(texts(waiting)).to.deep.equal(['deutsch', 'english']);
      expect(waiting.map(({ requires_review }) => requires_review)).to.deep.equal([true, true]);
      const approved = await decide<AdminTrendsStatus>(`statuses/${german.id}`, 'approve');
      expect(approved).to.include({ id: german.id, requires_review: false });
      expect(texts(await list(alice, 'trends/statuses'))).to.deep.equal(['deutsch']);
      await setDefault(true);
      expect(texts(await list(alice, 'trends/statuses'))).to.deep.equal(['english', 'deutsch']);
      await decide(`statuses/${german.id}`, 'reject');
      expect(texts(await list(alice, 'trends/statuses'))).to.deep.equal(['english']);
      await setDefault(false);
      for (const { id } of waiting) await decide(`statuses/${id}`, 'approve');
      const events = await town.events();
      await decide(`statuses/${german.id}`, 'approve');
      expect(await town.events()).to.equal(events);
      expect(texts(await list(alice, 'trends/statuses'))).to.deep.equal(['english', 'deutsch']);
      await acts.ok(alice.patch('/api/v1/accounts/update_credentials', { source: { language: 'de' } }));
      expect(texts(await list(alice, 'trends/statuses'))).to.deep.equal(['deutsch', 'english']);
      expect(texts(await list(alice, 'trends/statuses?offset=1'))).to.deep.equal(['english']);
      expect(texts(await list(alice, 'trends/statuses?limit=1'))).to.deep.equal(['deutsch']);
      await readsOn(alice, ['trends/statuses', 'admin/trends/statuses']);
    });

    it('wait for staff, who get one mail with a link, and decide on the command line', async () => {
      const waiting = await popular(alice, { status: 'waiting' });
      await rank(system(), 'statuses');
      const before = (await mails()).length;
      await rank(system(), 'reviews');
      await town.waitUntilIdle();
      await rank(system(), 'reviews');
      await town.waitUntilIdle();
      const [asking = '', ...more] = (await mailsTo(mod)).slice(-1);
      expect(await mails()).to.have.length(before + 1);
      expect(more).to.deep.equal([]);
      const [link = ''] = /https?:\S+/.exec(asking) ?? [];
      const page = await fetch(town.url + new URL(link).pathname, { headers: { Accept: 'text/html' } });
      expect(page.status, link).to.equal(200);
      const shown = await rookeryBeside(town.app, 'trends', 'list');
      expect(shown.stdout).to.match(new RegExp(`^post +${waiting.id} +@alice http`, 'm'));
      expect((await rookeryBeside(town.app, 'trends', 'allow', waiting.id)).code).to.equal(0);
      expect(texts(await list(alice, 'trends/statuses'))).to.include('waiting');
      expect((await rookeryBeside(town.app, 'trends', 'list')).stdout).not.to.include(waiting.id);
      expect((await rookeryBeside(town.app, 'trends', 'reject', waiting.id)).code).to.equal(0);
      expect(texts(await list(alice, 'trends/statuses'))).not.to.include('waiting');
      for (const wrong of [[], ['1'], ['--all', waiting.id], ['no name'], ['https://unknown.example/']]) {
        const refused = await rookeryBeside(town.app, 'trends', 'allow', ...wrong);
        expect(refused.code, wrong.join()).to.be.oneOf([1, 64]);
        expect(refused.stdout, wrong.join()).to.equal('');
      }
    });

    it('exclude authors whom the viewer blocks or mutes, and posts that were deleted or hidden', async () => {
      const ranked = texts(await list(town.nobody, 'trends/statuses'));
      expect(ranked).to.include('deutsch');
      const carol = people[2] as Person;
      await acts.act(carol, `accounts/${bob.id}/mute`);
      expect(texts(await list(carol, 'trends/statuses'))).to.deep.equal(['english']);
      await acts.act(carol, `accounts/${bob.id}/unmute`);
      await acts.act(bob, `accounts/${carol.id}/block`);
      expect(texts(await list(carol, 'trends/statuses'))).to.deep.equal(['english']);
      await acts.act(bob, `accounts/${carol.id}/unblock`);
      const [english] = (await list<Status>(town.nobody, 'trends/statuses')).filter(({ content }) =>
        content.includes('english'),
      );
      await acts.ok(alice.delete(`/api/v1/statuses/${english?.id}`));
      expect(texts(await list(carol, 'trends/statuses'))).to.deep.equal(['deutsch']);
    });
  });

  describe('of links', () => {
    const sample = PreviewCardAttached.samples[PreviewCardAttached.version] as { card: object };
    const share = async (who: Person, url: string, body: object = {}): Promise<void> => {
      const { id } = await acts.post(who, { status: `look ${url}`, ...body });
      await acts.happen({
        type: 'PreviewCardAttached',
        data: {
          ...sample,
          id,
          account_id: who.id,
          card: { ...sample.card, url, author_account_id: alice.id },
        } as never,
      });
    };

    const authorsOf = (links: TrendsLink[]): unknown[] => links.map(({ authors }) => authors[0]?.account?.id);

    it('are links that several accounts share, with their counts', async () => {
      const [one, two] = ['https://news.example/one', 'https://news.example/two'];
      for (const who of people) await share(who, one);
      await share(alice, one);
      for (const who of people.slice(0, 5)) await share(who, two);
      for (const who of people.slice(0, 4)) await share(who, 'https://four.example/');
      // Repeated posts of one user and posts that are not public make no trend.
      for (let times = 0; times < 4; times += 1) await share(bob, 'https://spam.example/');
      for (const who of people) await share(who, 'https://private.example/', { visibility: 'private' });
      for (const who of people) await share(who, 'https://careful.example/', { spoiler_text: 'careful' });
      await rank(system(), 'links');
      expect(await list(town.nobody, 'trends/links')).to.deep.equal([]);
      await setDefault(true);
      const links = await list<TrendsLink>(town.nobody, 'trends/links');
      expect(links.map(({ url }) => url)).to.deep.equal([one, two]);
      expect(authorsOf(links)).to.deep.equal([alice.id, alice.id]);
      expect(links[0]?.history).to.have.length(7);
      expect(links[0]?.history[0]).to.include({ uses: '8', accounts: '7' });
      expect(links[0]?.history[1]).to.include({ uses: '0', accounts: '0' });
      expect((await list<TrendsLink>(alice, 'trends/links?offset=1')).map(({ url }) => url)).to.deep.equal([
        two,
      ]);
      await readsOn(alice, ['trends/links', 'admin/trends/links']);
      // Links are left out when only posts of hidden accounts show them.
      const loner = await town.person('loner');
      for (const { id } of people) await acts.act(loner, `accounts/${id}/mute`);
      expect(await list(loner, 'trends/links')).to.deep.equal([]);
      const admin = await list<TrendsLink>(mod, 'admin/trends/links');
      expect(admin.map(({ url }) => url)).to.deep.equal([one, two]);
      expect(authorsOf(admin)).to.deep.equal([alice.id, alice.id]);
      await setDefault(false);
    });

    it('wait for staff, who decide about a link, or about all of a publisher', async () => {
      const urls = async (): Promise<string[]> =>
        (await list<TrendsLink>(town.nobody, 'trends/links')).map(({ url }) => url);
      expect(await urls()).to.deep.equal([]);
      const [one, two] = await list<AdminTrendsLink>(mod, 'admin/trends/links');
      expect([one?.requires_review, two?.requires_review]).to.deep.equal([true, true]);
      const publishers = await list<PreviewCardProvider>(mod, 'admin/trends/links/publishers');
      const [news] = publishers;
      expect(publishers).to.deep.equal([
        {
          id: news?.id,
          domain: 'news.example',
          trendable: null,
          reviewed_at: null,
          requested_review_at: null,
          requires_review: true,
        },
      ]);
      const approved = await decide<PreviewCardProvider>(`links/publishers/${news?.id}`, 'approve');
      expect(approved).to.include({ id: news?.id, trendable: true, requires_review: false });
      expect(await urls()).to.deep.equal([one?.url, two?.url]);
      const rejected = await decide<AdminTrendsLink>(`links/${one?.id}`, 'reject');
      expect(rejected).to.include({ url: one?.url, requires_review: false });
      expect(await urls()).to.deep.equal([two?.url]);
      const ofLink = `timelines/link?url=${encodeURIComponent(one?.url ?? '')}`;
      expect((await alice.get(`/api/v1/${ofLink}`)).status).to.equal(404);
      await decide(`links/${one?.id}`, 'approve');
      expect(await list(alice, ofLink)).not.to.deep.equal([]);
      await decide(`links/publishers/${news?.id}`, 'reject');
      expect(await urls()).to.deep.equal([one?.url]);
    });

    it('follow the closest reviewed publisher above their host', async () => {
      const below = 'https://sport.news.example/';
      for (const who of people) await share(who, below);
      await rank(system(), 'links');
      const shown = async (): Promise<boolean> =>
        (await list<TrendsLink>(town.nobody, 'trends/links')).some(({ url }) => url === below);
      expect(await shown()).to.equal(false);
      const [news, ...others] = await list<PreviewCardProvider>(mod, 'admin/trends/links/publishers');
      expect(others, 'the reviewed domain covers its subdomains').to.deep.equal([]);
      await decide(`links/publishers/${news?.id}`, 'approve');
      expect(await shown()).to.equal(true);
    });

    it('are allowed all at once on the command line, except those that staff decided before', async () => {
      const urls = async (): Promise<string[]> =>
        (await list<TrendsLink>(town.nobody, 'trends/links')).map(({ url }) => url);
      const [first, second] = ['https://first.example/', 'https://second.example/'] as const;
      for (const who of people) {
        await share(who, first);
        await share(who, second);
      }
      const before = await urls();
      await rank(system(), 'links');
      await rookeryBeside(town.app, 'trends', 'reject', second);
      await rank(system(), 'reviews');
      await town.waitUntilIdle();
      const asking = (await mailsTo(mod)).at(-1) ?? '';
      expect(asking).to.contain(first).and.not.to.contain(second);
      const shown = await rookeryBeside(town.app, 'trends', 'list');
      expect(shown.stdout).to.contain(first).and.not.to.contain(second);
      expect((await rookeryBeside(town.app, 'trends', 'allow', '--all')).code).to.equal(0);
      expect(await urls()).to.have.members([...before, first]);
      expect((await rookeryBeside(town.app, 'trends', 'list')).stdout).to.equal('');
      await rookeryBeside(town.app, 'trends', 'reject', first);
      await rookeryBeside(town.app, 'trends', 'allow', 'second.example');
      expect(await urls(), 'the review of a link holds against that of its publisher').to.have.members(
        before,
      );
    });

    it('are reviewed by staff only, as posts are', async () => {
      const [link] = await list<AdminTrendsLink>(mod, 'admin/trends/links');
      const [publisher] = await list<PreviewCardProvider>(mod, 'admin/trends/links/publishers');
      const [status] = await list<AdminTrendsStatus>(mod, 'admin/trends/statuses');
      const user = await bob.withScopes('read', 'write', 'admin:read', 'admin:write');
      const reader = await mod.withScopes('admin:read');
      expect((await user.get('/api/v1/admin/trends/links/publishers')).status).to.equal(403);
      for (const [what, id] of [
        ['links', link?.id],
        ['links/publishers', publisher?.id],
        ['statuses', status?.id],
      ]) {
        for (const verb of ['approve', 'reject']) {
          const path = (of: string): string => `/api/v1/admin/trends/${what}/${of}/${verb}`;
          for (const who of [user, reader]) expect((await who.post(path(id ?? ''))).status).to.equal(403);
          expect((await town.nobody.post(path(id ?? ''))).status).to.equal(403);
          for (const none of ['1', '0', 'x', '9'.repeat(30)]) {
            expect((await mod.post(path(none))).status, path(none)).to.equal(404);
          }
        }
      }
      const secret = await acts.post(alice, { status: 'for followers', visibility: 'private' });
      expect((await mod.post(`/api/v1/admin/trends/statuses/${secret.id}/approve`)).status).to.equal(404);
    });
  });
});
