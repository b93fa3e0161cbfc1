import { expect } from 'chai';
import type { Status } from '../../src/mastodon/schemas/index.ts';
import { alertOf, doneOf, signedIn } from '../account-pages/support.ts';
import { locationOf, type Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { post, reblog, remotePost } from '../timelines/support.ts';

describeTown('Posts in the web client', function (town) {
  this.timeout(120_000);
  let alice: Person;
  let bob: Person;
  let browser: Browser;
  const open = async (path: string): Promise<Answer> => {
    await town.waitUntilIdle();
    return browser.open(path);
  };
  const pageOf = ({ body }: Answer) => load(body as string);
  const show = (id: string, who = alice): Promise<Status> => ok(who.get<Status>(`/api/v1/statuses/${id}`));

  before(async () => {
    [alice, bob] = await Promise.all([town.person('alice'), town.person('bob')]);
    browser = await signedIn(town.server, 'alice');
  });

  describe('with their thread', () => {
    it('stand between ancestors and replies, each below the post that it answers', async () => {
      const root = await post(bob, 'the root');
      const main = await post(alice, 'the middle', { in_reply_to_id: root });
      const first = await post(bob, 'first reply', { in_reply_to_id: main });
      await post(bob, 'second reply', { in_reply_to_id: main });
      await post(alice, 'below the first', { in_reply_to_id: first });
      const answer = await open(`/@alice/${main}`);
      const page = pageOf(answer);
      const places = page
        .all('article')
        .map(({ attributes, text }) => [
          attributes['class'],
          /the root|the middle|first reply|second reply|below the first/.exec(text)?.[0],
        ]);
      expect(places).to.deep.equal([
        ['post above', 'the root'],
        ['post focused', 'the middle'],
        ['post reply d1', 'first reply'],
        ['post reply d2', 'below the first'],
        ['post reply d1', 'second reply'],
      ]);
      expect(page.one('a', { href: `/publish?in_reply_to_id=${main}` })).not.to.equal(undefined);
      expect(page.all('h1')).to.have.length(1);
    });

    it('are at one address: others redirect to it', async () => {
      const id = await post(bob, 'boosted');
      const boost = await reblog(alice, id);
      const paths = {
        [`/@alice/${id}`]: `/@bob/${id}`,
        [`/@alice/${boost}`]: `/@bob/${id}`,
        [`/@nobody/${id}/actions`]: `/@bob/${id}/actions`,
        [`/@alice/${id}/favourites`]: `/@bob/${id}/favourites`,
        [`/@alice/${id}?translate=1`]: `/@bob/${id}?translate=1`,
      };
      for (const [path, now] of Object.entries(paths))
        expect(locationOf(await open(path)), path).to.equal(now);
      for (const path of [`/@bob/${id}`, `/@Bob@rookery.example/${id}`]) {
        expect((await open(path)).status, path).to.equal(200);
      }
    });

    it('are read here too when they are of another server', async () => {
      const far = town.app.systemContext('spec').newId();
      expect((await open(`/@far@far.example/${far}`)).status).to.equal(404);
    });

    it('are missing when they are unknown, private or deleted; pages of strangers stay public', async () => {
      const secret = await post(bob, '@carol psst', { visibility: 'direct' });
      const gone = await post(bob, 'gone');
      const reply = await post(alice, 'an orphan', { in_reply_to_id: gone });
      await ok(bob.delete(`/api/v1/statuses/${gone}`));
      for (const id of ['1', secret, gone]) {
        for (const rest of ['', '/actions', '/favourites', '/reblogs', '/quotes', '/revoke_quote']) {
          expect((await open(`/@bob/${id}${rest}`)).status, `${id}${rest}`).to.equal(404);
        }
      }
      const orphan = await open(`/@alice/${reply}`);
      expect(orphan.status).to.equal(200);
      expect(pageOf(orphan).posts()).to.have.length(1);
      const outside = await town.server.call('GET', `/@alice/${reply}`, { headers: { Accept: 'text/html' } });
      expect(outside.headers.get('cache-control')).to.match(/public/);
      const document = await town.server.call('GET', `/@alice/${reply}`, {
        headers: {
          Accept: 'application/activity+json',
          Cookie: [...browser.cookies].map((c) => c.join('=')).join('; '),
        },
      });
      expect(document.body).to.include({ type: 'Note' });
    });

    it('obey the filters of threads', async () => {
      await ok(
        alice.post('/api/v2/filters', {
          title: 'No spoilers',
          filter_action: 'hide',
          context: ['thread'],
          keywords_attributes: [{ keyword: 'butler', whole_word: true }],
        }),
      );
      const root = await post(bob, 'who was it?');
      await post(bob, 'the butler', { in_reply_to_id: root });
      expect(pageOf(await open(`/@bob/${root}`)).posts()).to.have.length(1);
      const { body } = await open(`/@bob/${await post(bob, 'a butler alone')}`);
      expect(body).to.contain('Filtered: No spoilers');
    });
  });

  describe('with what one can do', () => {
    const textsOf = (answer: Answer): string[] =>
      pageOf(answer)
        .all('li')
        .filter(({ inside }) => inside.includes('ul.choices'))
        .map(({ text }) => text.trim().replaceAll(/\s+/g, ' '));

    it('offer the author and others different choices', async () => {
      const id = await post(alice, 'my own');
      const own = textsOf(await open(`/@alice/${id}/actions`));
      expect(own).to.include.members([
        'Edit',
        'Delete',
        'Delete & re-draft',
        'Pin on profile',
        'Anyone can quote',
      ]);
      expect(own.join()).not.to.contain('Report');
      const other = await post(bob, 'not mine');
      const theirs = textsOf(await open(`/@bob/${other}/actions`));
      expect(theirs).to.include.members([
        'Quote',
        'Mute @bob',
        'Block @bob',
        'Report @bob',
        'Boost for everyone',
      ]);
      expect(theirs).not.to.include('Delete');
      const whisper = await post(bob, '@alice psst', { visibility: 'direct' });
      const few = textsOf(await open(`/@bob/${whisper}/actions`));
      expect(few).not.to.include('Boost for everyone').and.not.to.include('Quote');
    });

    it('give the script the list alone, and everybody the address and the code to embed', async () => {
      const id = await post(alice, 'to be shared');
      const { body } = await open(`/@alice/${id}/actions`);
      expect(body).to.contain(`value="https://rookery.example/@alice/${id}"`);
      expect(body).to.contain('&#60;blockquote');
      const scripted = await signedIn(town.server, 'alice', undefined, { 'X-Rookery-Fragment': '1' });
      expect((await scripted.open(`/@alice/${id}/actions`)).body).to.match(/^\s*<h2/);
    });

    it('boost for a chosen audience, mute a conversation, pin, and choose who can quote', async () => {
      const other = await post(bob, 'boost me quietly');
      await open(`/@bob/${other}/actions`);
      await browser.press(`/web/v1/statuses/${other}/reblog`, { visibility: 'unlisted' });
      await town.waitUntilIdle();
      const [boost] = await ok(alice.get<Status[]>(`/api/v1/accounts/${alice.id}/statuses?limit=1`));
      expect([boost?.reblog?.id, boost?.visibility]).to.deep.equal([other, 'unlisted']);

      const id = await post(alice, 'mine to rule');
      const page = `/@alice/${id}/actions`;
      for (const act of ['mute', 'pin']) {
        await open(page);
        const done = await browser.press(`/web/v1/statuses/${id}/${act}`);
        expect(doneOf(await open(locationOf(done))), act).not.to.equal(undefined);
      }
      await browser.press(`/web/v1/statuses/${id}/interaction_policy/put`, {
        quote_approval_policy: 'nobody',
      });
      await town.waitUntilIdle();
      const { muted, pinned, quote_approval } = await show(id);
      expect({ muted, pinned, automatic: quote_approval.automatic }).to.deep.equal({
        ...{ muted: true, pinned: true, automatic: [] },
      });
      const chosen = pageOf(await open(page)).all('button', { 'aria-pressed': 'true' });
      expect(chosen.map(({ text }) => text.trim())).to.deep.equal(['Just you can quote']);
    });

    it('take the own post out of a quote, after asking', async () => {
      const quoted = await post(alice, 'quote me');
      const quoting = await post(bob, 'a quote', { quoted_status_id: quoted });
      const page = `/@bob/${quoting}/revoke_quote`;
      expect((await open(`/@alice/${quoted}/quotes`)).body).to.contain('a quote');
      expect((await open(`/@bob/${quoting}/actions`)).body).to.contain(page);
      await open(page);
      const done = await browser.submit(page);
      expect(locationOf(done)).to.equal(`/@bob/${quoting}?done=quote_removed`);
      expect((await open(locationOf(done))).body).not.to.contain('quote me');
      expect((await open(page)).status).to.equal(404);
      expect((await open(`/@alice/${quoted}/quotes`)).body).to.contain('Nobody has quoted this post yet.');
    });
  });

  it('list who boosted and favourited them', async () => {
    const id = await post(alice, 'liked');
    for (const list of ['favourites', 'reblogs']) {
      expect((await open(`/@alice/${id}/${list}`)).body, list).to.contain('Nobody has');
    }
    await ok(bob.post(`/api/v1/statuses/${id}/favourite`));
    await reblog(bob, id);
    const page = pageOf(await open(`/@alice/${id}`));
    for (const list of ['favourites', 'reblogs']) {
      expect(page.one('a', { href: `/@alice/${id}/${list}` })?.text, list).to.match(/1 (favourite|boost)/);
      expect(pageOf(await open(`/@alice/${id}/${list}`)).one('a', { href: '/@bob' })).not.to.equal(undefined);
    }
  });

  describe('with a poll', () => {
    const poll = { options: ['Rook', 'Crow'], expires_in: 3_600 };

    it('take a vote, and show the results before or after', async () => {
      const id = await post(bob, 'Which?', { poll });
      const page = `/@bob/${id}`;
      const before = pageOf(await open(page));
      expect(before.all('input', { type: 'radio' })).to.have.length(2);
      const results = pageOf(await open(`${page}?results=1`));
      expect([results.all('input', { type: 'radio' }).length, results.all('progress').length]).to.deep.equal([
        0, 2,
      ]);
      await open(page);
      const vote = `/web/v1/polls/${(await show(id)).poll?.id}/votes`;
      const refused = await browser.submit(vote, {});
      expect([refused.status, alertOf(refused) === undefined]).to.deep.equal([422, false]);
      await open(page);
      const done = await browser.submit(vote, { 'choices[]': '1' });
      expect(locationOf(done)).to.match(new RegExp(`^${page}#p\\d+$`));
      expect(
        pageOf(await open(page))
          .all('progress')
          .map(({ attributes }) => attributes['value']),
      ).to.deep.equal([...['0', '100']]);
      expect((await show(id)).poll?.own_votes).to.deep.equal([1]);
    });

    it('refuse a vote after the end, and change nothing', async () => {
      const ended = {
        ...{ id: town.app.systemContext('spec').newId(), options: ['Rook', 'Crow'], multiple: false },
        ...{ hide_totals: false, expires_at: '2026-01-01T00:00:00.000Z' },
      };
      const id = await remotePost(town, bob.id, { poll: ended, content: '<p>Too late</p>' });
      const { body } = await open(`/@bob/${id}`);
      expect(body).to.contain('ended').and.not.to.contain('name="choices[]"');
      const answer = await browser.press(`/web/v1/polls/${(await show(id)).poll?.id}/votes`, {
        'choices[]': '0',
      });
      expect(answer.status).to.equal(422);
      expect(alertOf(answer)).to.contain('already ended');
      expect(pageOf(answer).one('a', { href: `/@bob/${id}` })?.text).to.contain('Back');
      expect((await show(id)).poll?.voted).to.equal(false);
    });
  });
});
