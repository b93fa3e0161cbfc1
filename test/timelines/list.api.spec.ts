import { expect } from 'chai';
import { describeTown, type Person } from '../support/people.ts';
import { follow, list, post, reblog, timeline } from './support.ts';

describeTown('The timeline of a list', (town) => {
  let owner: Person;
  let anna: Person;
  let ben: Person;
  let followed: Person;

  before(async () => {
    [owner, anna, ben, followed] = [
      await town.person('owner'),
      await town.person('anna'),
      await town.person('ben'),
      await town.person('followed'),
    ];
    for (const person of [anna, ben, followed]) await follow(owner, person);
  });

  const read = (id: string, query = 'limit=40'): Promise<string[]> =>
    timeline(town, owner, `/api/v1/timelines/list/${id}?${query}`);

  it('contains posts and reblogs of members, before and after their addition, and no others', async () => {
    const before = await post(anna, 'before');
    const id = await list(owner, {}, [anna]);
    const notOfMember = await post(ben, 'not in the list');
    const after = await post(anna, 'after', { visibility: 'private' });
    await post(anna, 'psst @owner', { visibility: 'direct' });
    await post(owner, 'mine');
    const reblogged = await reblog(anna, notOfMember);
    expect(await read(id)).to.deep.equal([reblogged, after, before]);
    expect(await read(id, 'limit=1')).to.deep.equal([reblogged]);
    expect(await read(id, `max_id=${after}`)).to.deep.equal([before]);
    expect(await read(id, `min_id=${before}&limit=1`)).to.deep.equal([after]);
    expect(await read(id, `since_id=${before}`)).to.deep.equal([reblogged, after]);
  });

  it('shows replies by its policy', async () => {
    const answer = async (to: Person): Promise<string> =>
      post(anna, 'an answer', { in_reply_to_id: await post(to, 'a question') });
    const answers = {
      self: await answer(anna),
      owner: await answer(owner),
      member: await answer(ben),
      followed: await answer(followed),
      stranger: await answer(await town.person('stranger')),
    };
    const shown = async (replies_policy: string): Promise<string[]> => {
      const ids = await read(await list(owner, { replies_policy }, [anna, ben]));
      return Object.entries(answers).flatMap(([to, id]) => (ids.includes(id) ? [to] : []));
    };
    expect(await shown('followed')).to.deep.equal(['self', 'owner', 'member', 'followed']);
    expect(await shown('list')).to.deep.equal(['self', 'owner', 'member']);
    expect(await shown('none')).to.deep.equal(['self', 'owner']);
  });

  it("shows members of exclusive lists, with the settings of the owner's follow", async () => {
    const carl = await town.person('carl');
    await follow(owner, carl, { languages: ['de'], reblogs: false });
    const id = await list(owner, { exclusive: true }, [carl]);
    const german = await post(carl, 'Guten Tag', { language: 'de' });
    await post(carl, 'Good day', { language: 'en' });
    await reblog(carl, await post(ben, 'a reblog'));
    expect(await read(id)).to.deep.equal([german]);
    await owner.post(`/api/v1/accounts/${carl.id}/mute`);
    expect(await read(id)).to.deep.equal([]);
  });

  it('loses unfollowed members, and another follow does not restore them', async () => {
    const dora = await town.person('dora');
    await follow(owner, dora);
    const id = await list(owner, {}, [dora]);
    const posted = await post(dora, 'here');
    expect(await read(id)).to.deep.equal([posted]);
    await owner.post(`/api/v1/accounts/${dora.id}/unfollow`);
    expect(await read(id)).to.deep.equal([]);
    await follow(owner, dora);
    expect(await read(id)).to.deep.equal([]);
  });

  it('exists for its owner only', async () => {
    const id = await list(owner, {}, [anna]);
    for (const path of [id, '1', 'nonsense']) {
      const { status, json } = await anna.get(`/api/v1/timelines/list/${path}`);
      expect({ status, json }).to.deep.equal({ status: 404, json: { error: 'Record not found' } });
    }
    expect((await town.nobody.get(`/api/v1/timelines/list/${id}`)).status).to.equal(401);
    const elsewhere = await owner.withScopes('read:statuses');
    expect((await elsewhere.get(`/api/v1/timelines/list/${id}`)).status).to.equal(403);
  });
});
