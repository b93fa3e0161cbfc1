import { expect } from 'chai';
import { describeTown, type Person } from '../support/people.ts';
import { follow, post, upload, type WithId } from '../timelines/support.ts';

describeTown('The reply to a new post', (town) => {
  let author: Person;
  let friend: Person;

  before(async () => {
    author = await town.person('author', { display_name: 'Author', note: 'Writes' });
    friend = await town.person('friend');
    await follow(friend, author);
  });

  /** Returns the reply that the author receives and the post as they read it afterwards. */
  const answerTo = async (body: Record<string, unknown>, by = author): Promise<Record<string, unknown>> => {
    const { status, json } = await by.post<WithId & Record<string, unknown>>('/api/v1/statuses', body);
    expect(status).to.equal(200);
    const { json: found } = await by.get(`/api/v1/statuses/${json.id}`);
    expect(json).to.deep.equal(found);
    return json;
  };

  /** The author's number of posts, as the reply says. */
  const countAfter = async (by: Person, body: Record<string, unknown>): Promise<number> => {
    const { json } = await by.post<{ account: { statuses_count: number } }>('/api/v1/statuses', body);
    return json.account.statuses_count;
  };

  it('equals the post that the author reads afterwards, whatever it contains', async () => {
    await answerTo({ status: 'plain' });
    await answerTo({
      status: '@friend reads https://books.example/ on #Things, @nobody does <b>not</b> :wave:',
    });
    await answerTo({ status: 'hidden', spoiler_text: 'not :yet:', sensitive: true, language: 'de' });
    for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
      await answerTo({ status: `@friend ${visibility}`, visibility });
    }
    await answerTo({ status: 'a picture', media_ids: [await upload(author)] });
    await answerTo({ status: 'for my followers to quote', quote_approval_policy: 'followers' });
    await answerTo({ status: 'a poll', poll: { options: ['Yes', 'No'], expires_in: 3_600 } });
    const mine = await post(author, 'first of a thread');
    await answerTo({ status: 'second of a thread', in_reply_to_id: mine });
    await answerTo({ status: 'a quote', quoted_status_id: mine });
  });

  it("includes the post in the author's count, but not a direct message", async () => {
    const countOf = (status: Record<string, unknown>): number =>
      (status['account'] as { statuses_count: number }).statuses_count;
    const before = countOf(await answerTo({ status: 'one' }));
    expect(countOf(await answerTo({ status: 'two' }))).to.equal(before + 1);
    expect(countOf(await answerTo({ status: 'told @friend', visibility: 'direct' }))).to.equal(before + 1);
    const first = await answerTo({ status: 'the first of all' }, friend);
    expect(first['account']).to.include({ statuses_count: 1, last_status_at: today(first) });
  });

  it('counts every earlier post even without reads in between', async () => {
    const writer = await town.person('writer');
    const counts: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const visibility = n % 5 === 4 ? 'direct' : 'public';
      counts.push(await countAfter(writer, { status: `@writer ${n}`, visibility }));
    }
    expect(counts).to.deep.equal([1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12, 12, 13, 14, 15, 16, 16]);
  });

  it('counts each of several simultaneous posts', async () => {
    const hasty = await town.person('hasty');
    const counts = await Promise.all(
      Array.from({ length: 10 }, (_, n) => countAfter(hasty, { status: `${n}` })),
    );
    expect(counts.sort((a, b) => a - b)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('arrives when everyone can find the post', async () => {
    const stranger = await town.person('stranger');
    for (let n = 0; n < 10; n += 1) {
      // Several posts give the projector a reason to pause.
      const [id] = await Promise.all([
        post(author, `news ${n}`),
        post(author, 'more'),
        post(author, 'and more'),
      ]);
      const [one, listed, liked] = await Promise.all([
        stranger.get(`/api/v1/statuses/${id}`),
        stranger.get<WithId[]>(`/api/v1/accounts/${author.id}/statuses`),
        friend.post(`/api/v1/statuses/${id}/favourite`),
      ]);
      expect([one.status, liked.status]).to.deep.equal([200, 200]);
      expect(listed.json.map((each) => each.id)).to.include(id);
    }
  });

  it("contains the matches of the author's own filters", async () => {
    const filtering = await town.person('filtering');
    await filtering.post('/api/v2/filters', {
      title: 'No spoilers',
      context: ['home'],
      filter_action: 'warn',
      keywords_attributes: [{ keyword: 'plot', whole_word: true }],
    });
    expect((await answerTo({ status: 'the plot is' }, filtering))['filtered']).to.have.length(1);
  });
});

const today = (status: Record<string, unknown>): string => (status['created_at'] as string).slice(0, 10);
