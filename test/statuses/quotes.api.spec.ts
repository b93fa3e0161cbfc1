import { expect } from 'chai';
import { acceptQuote } from '#commands/federation/index.ts';
import { status } from '#commands/statuses/status.ts';
import { renderLink } from '#commands/text/format.ts';
import { type StatusData, type StatusEvent, statusStream } from '#events/statuses.ts';
import type { Quote, QuoteApproval, Status, StatusEdit, StatusSource } from '#mastodon/schemas/index.ts';
import { type Answer, type Client, describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';

describeTown('Quoting a post', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let carol: Person;

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    carol = await town.person('carol');
    await ok(bob.post(`/api/v1/accounts/${alice.id}/follow`));
  });

  async function ok<Json>(answer: Promise<Answer<Json>>): Promise<Json> {
    const { status, json } = await answer;
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  }
  const send = (who: Person, body: object) => who.post<Status>('/api/v1/statuses', body);
  const post = (who: Person, body: object): Promise<Status> => ok(send(who, body));
  const quote = (who: Person, { id }: { id: string }, body: object = {}) =>
    send(who, { status: `about ${id}`, quoted_status_id: id, ...body });
  const show = (id: string, who: Client): Promise<Status> => ok(who.get<Status>(`/api/v1/statuses/${id}`));
  /** The state of the quote and the id of the quoted post, as the reader sees them. */
  const quoteOf = (status: Status): [string, string | null] => {
    const { state, quoted_status: quoted } = status.quote as Quote;
    return [state, quoted?.id ?? null];
  };
  const quoteFor = async (who: Client, { id }: { id: string }) => quoteOf(await show(id, who));
  /** Announces the post as federation would. */
  const remotePost = async (author: string): Promise<{ id: string }> => {
    const ctx = town.app.systemContext('spec');
    const id = ctx.newId();
    const uri = `https://remote.example/posts/${id}`;
    const data: StatusData = {
      id,
      account_id: author,
      local: false,
      uri,
      url: uri,
      created_at: ctx.now,
      visibility: 'public',
      in_reply_to_id: null,
      in_reply_to_account_id: null,
      conversation_id: id,
      quote: null,
      quote_policy: 'public',
      application: null,
      text: null,
      content: '<p>far &amp; away</p>',
      spoiler_text: '',
      sensitive: false,
      language: null,
      mentions: [],
      tags: [],
      media: [],
      poll: null,
    };
    const created: StatusEvent = { type: 'StatusCreated', data };
    await ctx.execute(statusStream(id), status, () => [created]);
    await town.waitUntilIdle();
    return { id };
  };
  const changeRelationship = (who: Person, action: string, whom: Person) =>
    ok(who.post(`/api/v1/accounts/${whom.id}/${action}`));

  it('embeds the quoted post, counts the quote, and adds a link for clients without quotes', async () => {
    const quoted = await post(alice, { status: 'a thought' });
    const quoting = await ok(quote(carol, quoted, { status: 'so true' }));
    expect(quoteOf(quoting)).to.deep.equal(['accepted', quoted.id]);
    expect((quoting.quote as Quote).quoted_status?.content).to.equal('<p>a thought</p>');
    const paragraph = `<p class="quote-inline">RE: ${renderLink(quoted.url ?? '', 'nofollow noopener')}</p>`;
    expect(quoting.content).to.equal(`${paragraph}<p>so true</p>`);
    const linked = await ok(quote(carol, quoted, { status: `see ${quoted.url}` }));
    expect(linked.content).not.to.contain('quote-inline');
    expect(await ok(quote(carol, quoted, { status: '' }))).to.include({ content: paragraph });
    expect((await show(quoted.id, alice)).quotes_count).to.equal(3);
    await carol.delete(`/api/v1/statuses/${linked.id}`);
    expect((await show(quoted.id, alice)).quotes_count).to.equal(2);
  });

  it('keeps the quote when the quoting post is edited, and in its history', async () => {
    const quoted = await post(alice, { status: 'a thought' });
    const { id } = await ok(quote(carol, quoted));
    const edited = await ok(carol.put<Status>(`/api/v1/statuses/${id}`, { status: 'edited' }));
    expect(quoteOf(edited)).to.deep.equal(['accepted', quoted.id]);
    expect(edited.content).to.contain('quote-inline').and.to.contain('<p>edited</p>');
    const versions = await ok(town.nobody.get<StatusEdit[]>(`/api/v1/statuses/${id}/history`));
    expect(versions.map((version) => (version.quote as Quote).quoted_status?.id)).to.deep.equal([
      quoted.id,
      quoted.id,
    ]);
    expect((await show(quoted.id, alice)).quotes_count).to.equal(1);
  });

  it("requires the quoted author's permission, except for the author's own posts", async () => {
    const approval = (automatic: string[], current_user: string) => ({ automatic, manual: [], current_user });
    const may = async (who: Client, { id }: Status): Promise<QuoteApproval> =>
      (await show(id, who)).quote_approval;
    const closed = await post(alice, { status: 'no quotes', quote_approval_policy: 'nobody' });
    expect(await may(carol, closed)).to.deep.equal(approval([], 'denied'));
    expect((await quote(carol, closed)).status).to.equal(404);
    expect((await quote(alice, closed)).status).to.equal(200);
    const friends = await post(alice, { status: 'for friends', quote_approval_policy: 'followers' });
    expect(await may(bob, friends)).to.deep.equal(approval(['followers'], 'automatic'));
    expect(await may(carol, friends)).to.deep.equal(approval(['followers'], 'denied'));
    expect((await quote(bob, friends)).status).to.equal(200);
    expect((await quote(carol, friends)).status).to.equal(404);
    expect((await show(closed.id, alice)).quotes_count).to.equal(1);
  });

  it('allows quotes of private posts only to their author, with the same audience', async () => {
    const hidden = await post(alice, { status: 'followers only', visibility: 'private' });
    expect(hidden.quote_approval.automatic).to.deep.equal([]);
    expect((await quote(bob, hidden)).status).to.equal(404);
    expect((await ok(quote(alice, hidden, { visibility: 'public' }))).visibility).to.equal('private');
    expect((await ok(quote(alice, hidden, { visibility: 'unlisted' }))).visibility).to.equal('private');
    const direct = await post(alice, { status: 'psst @bob', visibility: 'direct' });
    for (const who of [alice, bob]) expect((await quote(who, direct)).status).to.equal(404);
  });

  it('requires a direct message with a quote to mention the quoted author', async () => {
    const quoted = await post(alice, { status: 'open' });
    const whisper = (text: string) => quote(carol, quoted, { status: text, visibility: 'direct' });
    expect((await whisper('@bob look')).status).to.equal(422);
    expect((await whisper('@alice look')).status).to.equal(200);
  });

  it('quotes the original post when the id belongs to a reblog', async () => {
    const quoted = await post(alice, { status: 'spread' });
    const reblog = await ok(bob.post<Status>(`/api/v1/statuses/${quoted.id}/reblog`));
    expect(quoteOf(await ok(quote(carol, reblog)))).to.deep.equal(['accepted', quoted.id]);
  });

  it('replies the same 404 for an invisible post as for a missing one', async () => {
    const hidden = await post(alice, { status: 'secret', visibility: 'private' });
    const absent = await quote(carol, { id: '1' });
    expect(absent.status).to.equal(404);
    expect(await quote(carol, hidden)).to.deep.equal(absent);
    const dora = await town.person('dora');
    const open = await post(alice, { status: 'not for dora' });
    await changeRelationship(alice, 'block', dora);
    expect(await quote(dora, open)).to.deep.equal(absent);
  });

  it('shows only the id of a quote inside another quote', async () => {
    const deepest = await post(alice, { status: 'deepest' });
    const middle = await ok(quote(bob, deepest));
    const top = await ok(quote(carol, middle));
    const inner = (status: Status) => (status.quote as Quote).quoted_status?.quote;
    expect(inner(top)).to.deep.equal({ state: 'accepted', quoted_status_id: deepest.id });
    const erin = await town.person('erin');
    await changeRelationship(erin, 'mute', alice);
    expect(inner(await show(top.id, erin))).to.deep.equal({
      state: 'muted_account',
      quoted_status_id: deepest.id,
    });
    await changeRelationship(alice, 'block', erin);
    expect(inner(await show(top.id, erin))).to.deep.equal({ state: 'unauthorized', quoted_status_id: null });
    await alice.delete(`/api/v1/statuses/${deepest.id}`);
    expect(inner(await show(top.id, carol))).to.deep.equal({ state: 'deleted', quoted_status_id: null });
  });

  it('reports that the quoted post was deleted', async () => {
    const quoted = await post(alice, { status: 'soon gone' });
    const quoting = await ok(quote(carol, quoted));
    await alice.delete(`/api/v1/statuses/${quoted.id}`);
    expect(await quoteFor(bob, quoting)).to.deep.equal(['deleted', null]);
    expect((await quote(bob, quoted)).status).to.equal(404);
  });

  it('links to the quoted post only while it exists, in every version', async () => {
    const quoted = await post(alice, { status: 'soon gone' });
    const { id } = await ok(quote(carol, quoted, { status: 'one' }));
    const silent = await ok(quote(carol, quoted, { status: '' }));
    await ok(carol.put<Status>(`/api/v1/statuses/${id}`, { status: 'two' }));
    await alice.delete(`/api/v1/statuses/${quoted.id}`);
    const history = async () => {
      const versions = await ok(town.nobody.get<StatusEdit[]>(`/api/v1/statuses/${id}/history`));
      return versions.map(({ content }) => content);
    };
    expect((await show(id, bob)).content).to.equal('<p>two</p>');
    expect((await show(silent.id, bob)).content).to.equal('');
    expect(await history()).to.deep.equal(['<p>one</p>', '<p>two</p>']);
    const marked = { status: 'two', sensitive: true };
    expect((await ok(carol.put<Status>(`/api/v1/statuses/${id}`, marked))).content).to.equal('<p>two</p>');
    expect(await history()).to.deep.equal(['<p>one</p>', '<p>two</p>', '<p>two</p>']);
  });

  it('hides the quoted post from accounts that its author blocks', async () => {
    const finn = await town.person('finn');
    const quoted = await post(alice, { status: 'blocked soon' });
    const quoting = await ok(quote(carol, quoted));
    expect(await quoteFor(finn, quoting)).to.deep.equal(['accepted', quoted.id]);
    await changeRelationship(alice, 'block', finn);
    expect(await quoteFor(finn, quoting)).to.deep.equal(['unauthorized', null]);
  });

  it('warns viewers who block or mute the quoted author, also in reblogs', async () => {
    const gina = await town.person('gina');
    const quoted = await post(alice, { status: 'unwanted' });
    const quoting = await ok(quote(carol, quoted));
    const reblog = await ok(bob.post<Status>(`/api/v1/statuses/${quoting.id}/reblog`));
    await changeRelationship(gina, 'mute', alice);
    expect(await quoteFor(gina, quoting)).to.deep.equal(['muted_account', quoted.id]);
    const seen = await show(reblog.id, gina);
    expect(seen.reblog && quoteOf(seen.reblog)).to.deep.equal(['muted_account', quoted.id]);
    await changeRelationship(gina, 'block', alice);
    expect(await quoteFor(gina, quoting)).to.deep.equal(['blocked_account', quoted.id]);
    expect(await quoteFor(bob, quoting)).to.deep.equal(['accepted', quoted.id]);
  });

  it('warns viewers who block the server of the quoted author', async () => {
    const author = await remoteAccount(town.app, 'rita', 'remote.example');
    const quoted = await remotePost(author);
    const quoting = await ok(quote(carol, quoted));
    expect(quoting.content).to.contain('RE: <a href="https://remote.example/posts/');
    // A quote of a remote post is pending until its author accepts it.
    expect(await quoteFor(bob, quoting)).to.deep.equal(['pending', null]);
    const theirs = { id: quoted.id, account_id: author };
    await acceptQuote(town.app.systemContext('spec'), quoting.id, theirs, null);
    await town.waitUntilIdle();
    expect(await quoteFor(bob, quoting)).to.deep.equal(['accepted', quoted.id]);
    await ok(bob.post('/api/v1/domain_blocks', { domain: 'remote.example' }));
    expect(await quoteFor(bob, quoting)).to.deep.equal(['blocked_domain', quoted.id]);
    const source = await ok(carol.get<StatusSource>(`/api/v1/statuses/${quoted.id}/source`));
    expect(source).to.deep.equal({ id: quoted.id, text: 'far & away', spoiler_text: '' });
  });

  it('lists the quotes that the viewer may see, newest first and in pages', async () => {
    const quoted = await post(alice, { status: 'much quoted' });
    const hugo = await town.person('hugo');
    const public1 = await ok(quote(bob, quoted));
    await ok(quote(carol, quoted, { visibility: 'private' }));
    await ok(quote(hugo, quoted));
    const public2 = await ok(quote(bob, quoted));
    const own = await ok(quote(alice, quoted));
    await ok(carol.post(`/api/v1/statuses/${public1.id}/reblog`));
    await changeRelationship(alice, 'mute', hugo);
    const path = `/api/v1/statuses/${quoted.id}/quotes`;
    const page = await alice.get<Status[]>(`${path}?limit=2`);
    expect(page.json.map(({ id }) => id)).to.deep.equal([own.id, public2.id]);
    const next = await alice.get<Status[]>(`${path}?${page.links['next']}`);
    expect(next.json.map(({ id }) => id)).to.deep.equal([public1.id]);
    const back = await alice.get<Status[]>(`${path}?${next.links['prev']}`);
    expect(back.json.map(({ id }) => id)).to.deep.equal([own.id, public2.id]);
    expect((await town.nobody.get(path)).status).to.equal(401);
    const hidden = await post(alice, { status: 'hidden', visibility: 'private' });
    expect((await carol.get(`/api/v1/statuses/${hidden.id}/quotes`)).status).to.equal(404);
  });

  describe('and revoking the quote', () => {
    const revoke = (who: Client, quoted: { id: string }, quoting: { id: string }) =>
      who.post<Status>(`/api/v1/statuses/${quoted.id}/quotes/${quoting.id}/revoke`);

    it('removes the quoted post from the quoting post for good', async () => {
      const quoted = await post(alice, { status: 'no longer' });
      const quoting = await ok(quote(carol, quoted));
      const { quote: revoked, id } = await ok(revoke(alice, quoted, quoting));
      expect([id, revoked]).to.deep.equal([quoting.id, { state: 'revoked', quoted_status: null }]);
      expect(await quoteFor(carol, quoting)).to.deep.equal(['revoked', null]);
      expect((await show(quoted.id, alice)).quotes_count).to.equal(0);
      expect(await ok(alice.get(`/api/v1/statuses/${quoted.id}/quotes`))).to.deep.equal([]);
      expect((await ok(revoke(alice, quoted, quoting))).id).to.equal(quoting.id);
      expect((await show(quoted.id, alice)).quotes_count).to.equal(0);
      await ok(carol.put(`/api/v1/statuses/${quoting.id}`, { status: 'edited' }));
      expect(await quoteFor(carol, quoting)).to.deep.equal(['revoked', null]);
    });

    it('returns the revoked quote when the quoting post is deleted, so that it can be posted again', async () => {
      const [shown, gone] = [await post(alice, { status: 'shown' }), await post(alice, { status: 'gone' })];
      const [first, second] = [await ok(quote(carol, shown)), await ok(quote(carol, gone))];
      await ok(revoke(alice, shown, first));
      await alice.delete(`/api/v1/statuses/${gone.id}`);
      const remove = async ({ id }: Status) =>
        quoteOf(await ok(carol.delete<Status>(`/api/v1/statuses/${id}`)));
      expect(await remove(first)).to.deep.equal(['revoked', shown.id]);
      expect(await remove(second)).to.deep.equal(['deleted', null]);
    });

    it('is open only to the quoted author, for quotes that they can see', async () => {
      const quoted = await post(alice, { status: 'mine' });
      const quoting = await ok(quote(carol, quoted));
      const secret = await ok(quote(carol, quoted, { visibility: 'private' }));
      expect((await revoke(carol, quoted, quoting)).status).to.equal(403);
      const absent = await revoke(alice, quoted, { id: '1' });
      expect(absent.status).to.equal(404);
      expect(await revoke(carol, quoted, { id: '1' })).to.deep.equal(absent);
      const unrelated = await post(carol, { status: 'no quote' });
      for (const other of [secret, unrelated, quoted]) {
        expect(await revoke(alice, quoted, other)).to.deep.equal(absent);
      }
      const hidden = await post(alice, { status: 'hidden', visibility: 'private' });
      expect(await revoke(carol, hidden, quoting)).to.deep.equal(absent);
    });

    it('works after the quoting author has blocked the quoted one', async () => {
      const ida = await town.person('ida');
      const quoted = await post(alice, { status: 'quoted by ida' });
      const quoting = await ok(quote(ida, quoted));
      await changeRelationship(ida, 'block', alice);
      expect((await ok(revoke(alice, quoted, quoting))).quote?.state).to.equal('revoked');
    });
  });

  describe('and changing the policy', () => {
    const change = (who: Client, { id }: { id: string }, policy?: string) =>
      who.put<Status>(`/api/v1/statuses/${id}/interaction_policy`, { quote_approval_policy: policy });

    it('applies to later quotes only and is no edit', async () => {
      const quoted = await post(alice, { status: 'open' });
      const quoting = await ok(quote(carol, quoted));
      const changed = await ok(change(alice, quoted, 'nobody'));
      expect(changed.quote_approval).to.deep.equal({ automatic: [], manual: [], current_user: 'automatic' });
      expect(changed.edited_at).to.equal(null);
      expect((await quote(carol, quoted)).status).to.equal(404);
      expect(await quoteFor(bob, quoting)).to.deep.equal(['accepted', quoted.id]);
      const edited = await ok(
        alice.put<Status>(`/api/v1/statuses/${quoted.id}`, {
          status: 'open',
          quote_approval_policy: 'followers',
        }),
      );
      expect(edited).to.deep.include({ edited_at: null });
      expect(edited.quote_approval.automatic).to.deep.equal(['followers']);
      expect(await ok(change(alice, quoted))).to.deep.equal(edited);
    });

    it('is open to the author only, and has an effect only on posts open to everyone', async () => {
      const open = await post(alice, { status: 'open' });
      expect((await change(carol, open, 'nobody')).status).to.equal(403);
      expect((await change(carol, { id: '1' }, 'nobody')).status).to.equal(404);
      expect((await change(alice, open, 'everybody')).status).to.equal(422);
      const hidden = await post(alice, { status: 'hidden', visibility: 'private' });
      expect((await ok(change(alice, hidden, 'public'))).quote_approval.automatic).to.deep.equal([]);
    });
  });
});
