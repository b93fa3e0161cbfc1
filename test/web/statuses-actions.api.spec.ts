import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { post, remotePost } from '../timelines/support.ts';

describeTown('Acting on posts in the web client', function (town) {
  this.timeout(120_000);
  let alice: Person;
  let bob: Person;
  let browser: Browser;
  const open = async (path: string): Promise<Answer> => {
    await town.waitUntilIdle();
    return browser.open(path);
  };
  const pageOf = ({ body }: Answer) => load(body as string);
  const show = (id: string): Promise<Status> => ok(alice.get<Status>(`/api/v1/statuses/${id}`));

  before(async () => {
    [alice, bob] = await Promise.all([town.person('alice'), town.person('bob')]);
    browser = await signedIn(town.server, 'alice');
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
      const scripted = await signedIn(town.server, 'alice');
      scripted.headers['X-Rookery-Fragment'] = '1';
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
        muted: true,
        pinned: true,
        automatic: [],
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
        id: town.app.systemContext('spec').newId(),
        options: ['Rook', 'Crow'],
        multiple: false,
        hide_totals: false,
        expires_at: '2026-01-01T00:00:00.000Z',
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
