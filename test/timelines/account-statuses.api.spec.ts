import { expect } from 'chai';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { follow, post, reblog, timeline, upload } from './support.ts';

describeTown('The statuses of an account', (town) => {
  let author: Person;
  let follower: Person;
  let other: Person;
  const posted: Record<string, string> = {};

  before(async () => {
    [author, follower, other] = [
      await town.person('author'),
      await town.person('follower'),
      await town.person('other'),
    ];
    await follow(follower, author);
    posted['tagged'] = await post(author, 'about #Blåhaj', { visibility: 'unlisted' });
    posted['picture'] = await post(author, 'look', { media_ids: [await upload(author)] });
    posted['private'] = await post(author, 'to followers', { visibility: 'private' });
    posted['direct'] = await post(author, 'psst @other', { visibility: 'direct' });
    posted['self'] = await post(author, 'and then', { in_reply_to_id: posted['picture'] });
    const question = await post(other, 'a question');
    posted['answer'] = await post(author, 'an answer', { in_reply_to_id: question });
    posted['reblog'] = await reblog(author, question);
  });

  const read = async (query = '', who: Client = town.nobody): Promise<string[]> => {
    const ids = await timeline(town, who, `/api/v1/accounts/${author.id}/statuses?${query}`);
    return ids.map((id) => Object.keys(posted).find((name) => posted[name] === id) ?? id);
  };

  it('are those that the viewer may see, newest first', async () => {
    const all = ['reblog', 'answer', 'self', 'picture', 'tagged'];
    expect(await read()).to.deep.equal(all);
    expect(await read('', follower)).to.deep.equal([...all.slice(0, 3), 'private', ...all.slice(3)]);
    expect(await read('', other)).to.deep.equal([...all.slice(0, 3), 'direct', ...all.slice(3)]);
    expect(await read('', author)).to.have.length(7);
  });

  it('are found by hashtag, without replies or reblogs, with media', async () => {
    expect(await read('tagged=BLAHAJ')).to.deep.equal(['tagged']);
    expect(await read('tagged=%23bl%C3%A5haj')).to.deep.equal(['tagged']);
    expect(await read('tagged=blahaj&only_media=true')).to.deep.equal([]);
    expect(await read('tagged=blahaj&exclude_replies=true', author)).to.deep.equal(['tagged']);
    expect(await read('tagged=other')).to.deep.equal([]);
    expect(await read('exclude_replies=true')).to.deep.equal(['reblog', 'self', 'picture', 'tagged']);
    expect(await read('exclude_reblogs=1')).to.deep.equal(['answer', 'self', 'picture', 'tagged']);
    expect(await read('only_media=true')).to.deep.equal(['picture']);
    expect(await read('exclude_replies=true&limit=1&min_id=0')).to.deep.equal(['tagged']);
  });

  it('have a list of the pinned ones', async () => {
    await author.post(`/api/v1/statuses/${posted['picture']}/pin`);
    await author.post(`/api/v1/statuses/${posted['tagged']}/pin`);
    expect(await read('pinned=true')).to.deep.equal(['tagged', 'picture']);
    const path = `/api/v1/accounts/${author.id}/statuses`;
    expect((await author.get(`${path}?pinned=true`)).links).to.deep.equal({});
    expect(await read('pinned=true&limit=1')).to.deep.equal(['tagged']);
    expect((await author.get(path)).links).to.have.keys('prev');
    expect((await author.get(`${path}?limit=2`)).links).to.have.keys('next', 'prev');
  });

  it('leave out reblogs of muted accounts, whose own page shows everything', async () => {
    await follower.post(`/api/v1/accounts/${other.id}/mute`);
    expect(await read('limit=1', follower)).to.deep.equal(['answer']);
    await follower.post(`/api/v1/accounts/${author.id}/mute`);
    expect(await read('limit=1', follower)).to.deep.equal(['answer']);
    await author.post(`/api/v1/accounts/${other.id}/mute`);
    expect(await read('limit=1', author)).to.deep.equal(['reblog']);
  });

  it('are empty for viewers whom the author blocks, and for all when the author is suspended', async () => {
    await author.post(`/api/v1/accounts/${other.id}/block`);
    expect(await read('', other)).to.deep.equal([]);
    expect(await read('pinned=true', other)).to.deep.equal([]);
    await town.suspend(author);
    for (const who of [town.nobody, follower]) {
      expect(await read('', who)).to.deep.equal([]);
      expect(await read('pinned=true', who)).to.deep.equal([]);
    }
    expect((await town.nobody.get('/api/v1/accounts/1/statuses')).status).to.equal(404);
  });
});
