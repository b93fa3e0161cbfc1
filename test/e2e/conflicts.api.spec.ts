import { expect } from 'chai';
import { claimPublication } from '#commands/scheduled-statuses/index.ts';
import { Context } from '#kernel/context.ts';
import { type Answer, describeTown, type Person } from '../support/people.ts';
import { picture, uploadForm } from '../support/uploads.ts';

interface WithId {
  id: string;
}
interface Post extends WithId {
  content: string;
  favourited: boolean;
  favourites_count: number;
  reblogged: boolean;
  reblogs_count: number;
  bookmarked: boolean;
  pinned?: boolean;
}
interface Relation {
  following: boolean;
  followed_by: boolean;
  blocking: boolean;
}
interface Poll extends WithId {
  votes_count: number;
  own_votes: number[];
  options: { votes_count: number }[];
}

/**
 * Conflicting requests that arrive at the same moment. Each reply and the final state must be those of some
 * sequential order. The read models are compared with the log when the server closes.
 */
describeTown('Simultaneous conflicting requests', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;

  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
  });

  const post = async (body: object = { status: 'hello' }, by = alice): Promise<Post> =>
    (await by.post<Post>('/api/v1/statuses', body)).json;
  const found = async (id: string, by = alice): Promise<Answer<Post>> =>
    by.get<Post>(`/api/v1/statuses/${id}`);

  it('apply every edit of a post, and show the last one', async () => {
    const { id } = await post();
    const texts = Array.from({ length: 10 }, (_, n) => `edit ${n}`);
    const answers = await Promise.all(
      texts.map((status) => alice.put<Post>(`/api/v1/statuses/${id}`, { status })),
    );
    expectNumbers(answers, [200]);
    const history = await alice.get<Post[]>(`/api/v1/statuses/${id}/history`);
    expect(history.json).to.have.length(11);
    expect((await found(id)).json.content).to.equal(history.json.at(-1)?.content);
    expect(new Set(history.json.slice(1).map(({ content }) => content)).size).to.equal(10);
  });

  it('leave a post deleted when it is edited and deleted', async () => {
    const posts = await Promise.all(Array.from({ length: 20 }, () => post()));
    const answers = await Promise.all(
      posts.flatMap(({ id }, n) => {
        const edit = () => alice.put(`/api/v1/statuses/${id}`, { status: 'changed' });
        const remove = () => alice.delete(`/api/v1/statuses/${id}`);
        return n % 2 === 0 ? [edit(), remove()] : [remove(), edit()];
      }),
    );
    expectNumbers(answers, [200, 404]);
    for (const { id } of posts) expect((await found(id)).status).to.equal(404);
  });

  it('keep counts correct when favourites, reblogs and bookmarks are made and undone', async () => {
    const { id } = await post();
    for (const [make, undo] of [
      ['favourite', 'unfavourite'],
      ['reblog', 'unreblog'],
      ['bookmark', 'unbookmark'],
    ]) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => bob.post(`/api/v1/statuses/${id}/${n % 2 ? undo : make}`)),
      );
      expectNumbers(answers, [200]);
    }
    await town.waitUntilIdle();
    const { json } = await found(id, bob);
    expect(json.favourites_count).to.equal(json.favourited ? 1 : 0);
    expect(json.reblogs_count).to.equal(json.reblogged ? 1 : 0);
    const by = await alice.get<WithId[]>(`/api/v1/statuses/${id}/favourited_by`);
    expect(by.json).to.have.length(json.favourites_count);
    const bookmarks = await bob.get<WithId[]>('/api/v1/bookmarks');
    expect(bookmarks.json.some((each) => each.id === id)).to.equal(json.bookmarked);
  });

  it('refuse or apply a favourite, a reblog and a reply while the post is deleted', async () => {
    const posts = await Promise.all(Array.from({ length: 10 }, () => post()));
    const answers = await Promise.all(
      posts.flatMap(({ id }) => [
        bob.post(`/api/v1/statuses/${id}/favourite`),
        bob.post(`/api/v1/statuses/${id}/reblog`),
        bob.post('/api/v1/statuses', { status: 'why?', in_reply_to_id: id }),
        alice.delete(`/api/v1/statuses/${id}`),
        alice.post(`/api/v1/statuses/${id}/pin`),
      ]),
    );
    expectNumbers(answers, [200, 404, 422]);
    for (const { id } of posts) expect((await found(id)).status).to.equal(404);
    const pinned = await alice.get<WithId[]>(`/api/v1/accounts/${alice.id}/statuses?pinned=true`);
    expect(pinned.json).to.deep.equal([]);
  });

  it('leave no follow in place when one of the two users blocks the other', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => [
        await town.person(`left${n}`),
        await town.person(`right${n}`),
      ]),
    );
    for (const [left, right] of pairs) {
      if (!left || !right) throw new Error('There are two');
      const answers = await Promise.all([
        left.post(`/api/v1/accounts/${right.id}/follow`),
        right.post(`/api/v1/accounts/${left.id}/block`),
        right.post(`/api/v1/accounts/${left.id}/follow`),
        left.post(`/api/v1/accounts/${right.id}/endorse`),
      ]);
      expectNumbers(answers, [200, 403, 422]);
      const [relation] = (await right.get<Relation[]>(`/api/v1/accounts/relationships?id[]=${left.id}`)).json;
      if (relation?.blocking) {
        expect(relation).to.include({ following: false, followed_by: false });
      }
    }
  });

  it('count one of several votes by the same user', async () => {
    const { json } = await alice.post<{ poll: Poll }>('/api/v1/statuses', {
      status: 'which?',
      poll: { options: ['a', 'b', 'c'], expires_in: 3_600 },
    });
    const path = `/api/v1/polls/${json.poll.id}`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => bob.post(`${path}/votes`, { choices: [n % 3] })),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expectNumbers(answers, [200, 422]);
    const { json: poll } = await bob.get<Poll>(path);
    expect(poll.votes_count).to.equal(1);
    expect(poll.own_votes).to.have.length(1);
    expect(poll.options[poll.own_votes[0] ?? 9]?.votes_count).to.equal(1);
  });

  it('list an account at most once when it is added to a list and removed', async () => {
    await alice.post(`/api/v1/accounts/${bob.id}/follow`);
    const { json: list } = await alice.post<WithId>('/api/v1/lists', { title: 'friends' });
    const path = `/api/v1/lists/${list.id}/accounts`;
    const members = async () => (await alice.get<WithId[]>(path)).json.map(({ id }) => id);
    const twice = await Promise.all(
      Array.from({ length: 10 }, () => alice.post(path, { account_ids: [bob.id] })),
    );
    expect(twice.filter(({ status }) => status === 200)).to.have.length(1);
    expectNumbers(twice, [200, 422]);
    expect(await members()).to.deep.equal([bob.id]);

    const both = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? alice.delete(path, { account_ids: [bob.id] })
          : alice.post(path, { account_ids: [bob.id] }),
      ),
    );
    expectNumbers(both, [200, 422]);
    expect(await members()).to.satisfy((ids: string[]) => ids.length < 2);

    const ends = await Promise.all([
      alice.delete(`/api/v1/lists/${list.id}`),
      alice.put(`/api/v1/lists/${list.id}`, { title: 'other' }),
      alice.post(path, { account_ids: [bob.id] }),
      alice.delete(`/api/v1/lists/${list.id}`),
    ]);
    expectNumbers(ends, [200, 404, 422]);
    expect((await alice.get(path)).status).to.equal(404);
  });

  it('leave no keyword behind when its filter is deleted', async () => {
    const filter = await alice.post<WithId & { keywords: WithId[] }>('/api/v2/filters', {
      title: 'x',
      context: ['home'],
      keywords_attributes: [{ keyword: 'spoiler' }],
    });
    const keyword = `/api/v2/filters/keywords/${filter.json.keywords[0]?.id ?? ''}`;
    const answers = await Promise.all([
      alice.put(keyword, { keyword: 'a longer one' }),
      alice.put(keyword, { keyword: 'another' }),
      alice.delete(keyword),
      alice.post(`/api/v2/filters/${filter.json.id}/keywords`, { keyword: 'one more' }),
      alice.delete(`/api/v2/filters/${filter.json.id}`),
      alice.put(`/api/v2/filters/${filter.json.id}`, { title: 'y' }),
    ]);
    expectNumbers(answers, [200, 404]);
    expect((await alice.get<WithId[]>('/api/v2/filters')).json).to.deep.equal([]);
    expect((await alice.get(keyword)).status).to.equal(404);
  });

  it('publish a scheduled post at most once when it is moved and cancelled', async () => {
    const scheduled = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const body = { status: `later ${n}`, scheduled_at: ahead(1) };
        return (await alice.post<WithId>('/api/v1/statuses', body)).json.id;
      }),
    );
    const answers = await Promise.all(
      scheduled.flatMap((id, n) => {
        const path = `/api/v1/scheduled_statuses/${id}`;
        const move = () => alice.put(path, { scheduled_at: ahead(5) });
        const publish = async () => {
          await claimPublication(inTwoDays(), id);
          return { status: 200 };
        };
        return n % 3 === 0
          ? [move(), publish()]
          : n % 3 === 1
            ? [publish(), move()]
            : [publish(), alice.delete(path), move()];
      }),
    );
    expectNumbers(answers, [200, 404]);
    await town.waitUntilIdle();
    const waiting = (await alice.get<WithId[]>('/api/v1/scheduled_statuses')).json.map(({ id }) => id);
    const posts = await alice.get<Post[]>(`/api/v1/accounts/${alice.id}/statuses?limit=40`);
    for (const [n, id] of scheduled.entries()) {
      const published = posts.json.filter(({ content }) => content === `<p>later ${n}</p>`).length;
      // Each scheduled status is either waiting or published. Every third one may also be cancelled.
      const is = published + (waiting.includes(id) ? 1 : 0);
      if (n % 3 === 2) expect(is, `later ${n}`).to.be.within(0, 1);
      else expect(is, `later ${n}`).to.equal(1);
    }
  });

  it('lift an IP block for good when its range is changed at the same time', async () => {
    const owner = await town.staff('owner', 'Owner');
    const ranges = Array.from({ length: 12 }, (_, n) => `203.0.113.${n}/32`);
    const blocks = await Promise.all(
      ranges.map(async (ip) => {
        const { json } = await owner.post<WithId>('/api/v1/admin/ip_blocks', {
          ip,
          severity: 'sign_up_block',
        });
        return `/api/v1/admin/ip_blocks/${json.id}`;
      }),
    );
    const answers = await Promise.all(
      blocks.map(async (path, n) => {
        const change = owner.put(path, { ip: `198.51.100.${n}/32` });
        const [lifted, changed] = await Promise.all([owner.delete(path), change]);
        return { path, lifted: lifted.status, changed: changed.status };
      }),
    );
    await town.waitUntilIdle();
    for (const { path, lifted, changed } of answers) {
      expect([lifted, changed]).to.satisfy((both: number[]) =>
        both.every((each) => [200, 404].includes(each)),
      );
      expect((await owner.get(path)).status).to.equal(lifted === 200 ? 404 : 200);
    }
  });

  it('attach an upload to one of several posts', async () => {
    const { json } = await alice.post<WithId>('/api/v2/media', uploadForm(await picture(20, 20)));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        alice.post<Post>('/api/v1/statuses', { status: `picture ${n}`, media_ids: [json.id] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expectNumbers(answers, [200, 422]);
  });

  it('leave no pending request when it is authorized, rejected and withdrawn', async () => {
    const locked = await town.person('locked', { locked: true });
    for (let n = 0; n < 5; n += 1) {
      await bob.post(`/api/v1/accounts/${locked.id}/follow`);
      const answers = await Promise.all([
        locked.post(`/api/v1/follow_requests/${bob.id}/authorize`),
        locked.post(`/api/v1/follow_requests/${bob.id}/reject`),
        bob.post(`/api/v1/accounts/${locked.id}/unfollow`),
      ]);
      expectNumbers(answers, [200, 404]);
      const [relation] = (
        await bob.get<(Relation & { requested: boolean })[]>(
          `/api/v1/accounts/relationships?id[]=${locked.id}`,
        )
      ).json;
      expect(relation?.requested).to.equal(false);
      await bob.post(`/api/v1/accounts/${locked.id}/unfollow`);
    }
  });

  /** The context of a timer that runs in two days, when the statuses are due. */
  const inTwoDays = (): Context =>
    new Context(town.app.contextDependencies, {
      requestId: crypto.randomUUID(),
      ip: '',
      locale: undefined,
      rule: 'spec',
      identity: {
        commandId: crypto.randomUUID(),
        firstId: town.app.contextDependencies.newId(),
        now: ahead(2),
        repeated: false,
      },
    });
});

const ahead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** Asserts that every reply has one of these statuses. */
function expectNumbers(answers: readonly { status: number }[], numbers: number[]): void {
  expect(answers.filter(({ status }) => !numbers.includes(status))).to.deep.equal([]);
}
