import { expect } from 'chai';
import type { FilterResult, Status } from '#mastodon/schemas/index.ts';
import type { FullFilter } from '#queries/filters/read.ts';
import { type Answer, type Client, describeTown, type Person } from '../support/people.ts';

/** A status as the reader gets it. Without a token it has no `filtered`. */
type Shown = Omit<Status, 'filtered' | 'reblog'> & { filtered?: FilterResult[]; reblog: Shown | null };

describeTown('The filter results of a status', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let filter: FullFilter;
  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    await alice.post(`/api/v1/accounts/${bob.id}/follow`);
    filter = await ok(
      alice.post<FullFilter>('/api/v2/filters', {
        title: 'Series',
        context: ['public'],
        filter_action: 'hide',
        keywords_attributes: [{ keyword: 'spoiler' }],
      }),
    );
  });

  async function ok<Json>(answer: Promise<Answer<Json>>): Promise<Json> {
    const { status, json } = await answer;
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  }
  const post = (body: object, who = bob): Promise<Shown> => ok(who.post<Shown>('/api/v1/statuses', body));
  const show = (id: string, who: Client = alice): Promise<Shown> =>
    ok(who.get<Shown>(`/api/v1/statuses/${id}`));
  const matches = ({ filtered = [] }: Shown): (string[] | null)[] =>
    filtered.map(({ keyword_matches: keywords }) => keywords);

  it('name the filter and the keywords, for the owner of the filter only', async () => {
    const { id } = await post({ status: 'A Spoiler, mind you' });
    const { keywords: _keywords, statuses: _statuses, ...head } = filter;
    expect((await show(id)).filtered).to.deep.equal([
      { filter: head, keyword_matches: ['Spoiler'], status_matches: null },
    ]);
    expect((await show(id, bob)).filtered).to.deep.equal([]);
    expect(await show(id, town.nobody)).not.to.have.property('filtered');
    expect(matches(await show((await post({ status: 'spoilers' })).id))).to.deep.equal([]);
  });

  it('are present in every list, whatever the contexts of the filter', async () => {
    const { id } = await post({ status: 'spoiler #series' });
    await post({ status: 'an answer', in_reply_to_id: id }, alice);
    const answer = (await post({ status: 'its spoiler', in_reply_to_id: id })).id;
    await ok(alice.post(`/api/v1/statuses/${id}/favourite`));
    await ok(alice.post(`/api/v1/statuses/${id}/bookmark`));
    await town.waitUntilIdle();
    const lists = [
      '/api/v1/timelines/home',
      '/api/v1/timelines/public',
      '/api/v1/timelines/tag/series',
      `/api/v1/accounts/${bob.id}/statuses`,
      '/api/v1/favourites',
      '/api/v1/bookmarks',
      `/api/v1/statuses?id[]=${id}`,
    ];
    for (const path of lists) {
      const statuses = await ok(alice.get<Shown[]>(path));
      const shown = statuses.find((each) => each.id === id);
      expect(shown && matches(shown), path).to.deep.equal([['spoiler']]);
    }
    const context = await ok(alice.get<{ descendants: Shown[] }>(`/api/v1/statuses/${id}/context`));
    expect(context.descendants.map(matches)).to.deep.equal([[['spoiler']], []]);
    expect(context.descendants.at(0)?.id).to.equal(answer);
    const favourited = await ok(alice.post<Shown>(`/api/v1/statuses/${id}/unfavourite`));
    expect(matches(favourited)).to.deep.equal([['spoiler']]);
  });

  it('cover a reblogged status, and are present in the reblog and in the original', async () => {
    const { id } = await post({ status: 'spoiler' });
    const reblog = await ok(bob.post<Shown>(`/api/v1/statuses/${id}/reblog`));
    const shown = await show(reblog.id);
    expect(matches(shown)).to.deep.equal([['spoiler']]);
    expect(shown.reblog && matches(shown.reblog)).to.deep.equal([['spoiler']]);
  });

  it('cover content warnings and polls, but not markup', async () => {
    expect(matches(await show((await post({ status: 'x', spoiler_text: 'spoiler!' })).id))).to.have.length(1);
    const poll = { options: ['tea', 'spoiler'], expires_in: 3_600 };
    expect(matches(await show((await post({ status: 'vote', poll })).id))).to.have.length(1);
    const { id } = await post({ status: 'see https://example.org/ @alice' });
    const markup = await ok(
      alice.post<FullFilter>('/api/v2/filters', {
        title: 'Markup',
        context: ['home'],
        keywords_attributes: ['span', 'href', 'class', 'p', 'a'].map((keyword) => ({ keyword })),
      }),
    );
    expect(matches(await show(id))).to.deep.equal([]);
    await ok(alice.delete(`/api/v2/filters/${markup.id}`));
  });

  it('do not include those of a quoted status, which has its own', async () => {
    const quoted = await post({ status: 'spoiler' });
    const { id } = await post({ status: 'I said', quoted_status_id: quoted.id });
    const shown = await show(id);
    expect(matches(shown)).to.deep.equal([]);
    const { quote } = shown as unknown as { quote: { quoted_status: Shown } };
    expect(matches(quote.quoted_status)).to.deep.equal([['spoiler']]);
  });

  it('ignore the line that links to the quoted post', async () => {
    const quoted = await post({ status: 'a thought' });
    const { id } = await post({ status: 'I said', quoted_status_id: quoted.id });
    const line = await ok(
      alice.post<FullFilter>('/api/v2/filters', {
        title: 'Line',
        context: ['home'],
        keywords_attributes: [{ keyword: 'RE' }],
      }),
    );
    expect(matches(await show(id))).to.deep.equal([]);
    await ok(alice.delete(`/api/v2/filters/${line.id}`));
  });

  it('reflect changes of filters from the next read on', async () => {
    const { id } = await post({ status: 'a wombat' });
    expect(matches(await show(id))).to.deep.equal([]);
    const path = `/api/v2/filters/${filter.id}`;
    const { keywords } = await ok(
      alice.put<FullFilter>(path, { keywords_attributes: [{ keyword: 'wombat' }] }),
    );
    expect(matches(await show(id))).to.deep.equal([['wombat']]);
    await ok(alice.put(path, { expires_in: 0 }));
    expect(matches(await show(id))).to.deep.equal([]);
    await ok(alice.put(path, { expires_in: 3_600 }));
    expect(matches(await show(id))).to.deep.equal([['wombat']]);
    await ok(alice.delete(`/api/v1/filters/keywords/${keywords.at(-1)?.id ?? ''}`));
    expect(matches(await show(id))).to.deep.equal([]);
  });

  it('include statuses that a filter names, also when they are reblogged', async () => {
    const { id } = await post({ status: 'nothing in it' });
    const reblog = await ok(bob.post<Shown>(`/api/v1/statuses/${id}/reblog`));
    const entry = await ok(
      alice.post<{ id: string }>(`/api/v2/filters/${filter.id}/statuses`, { status_id: id }),
    );
    for (const each of [id, reblog.id]) {
      const [result] = (await show(each)).filtered ?? [];
      expect(result).to.deep.include({ keyword_matches: null, status_matches: [id] });
    }
    await ok(alice.delete(`/api/v2/filters/statuses/${entry.id}`));
    expect((await show(id)).filtered).to.deep.equal([]);
  });

  it('remove no status from a page', async () => {
    for (let number = 0; number < 5; number += 1) await post({ status: `spoiler ${number}` });
    await town.waitUntilIdle();
    expect(await ok(alice.get('/api/v1/timelines/home?limit=5'))).to.have.length(5);
  });
});
