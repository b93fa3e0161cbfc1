import { expect } from 'chai';
import { changeSettings } from '#commands/instance/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import { giveCard, makeTrend, post, reblog, remotePost, timeline, upload } from './support.ts';

const LINK = 'https://news.example/rooks?page=1';

describeTown('Public timelines', (town) => {
  let alice: Person;
  let bob: Person;
  const posted: Record<string, string> = {};

  before(async () => {
    alice = await town.person('alice', { discoverable: true });
    bob = await town.person('bob');
    const far = await remoteAccount(town.app, 'far', 'far.example');
    posted['cats'] = await post(alice, 'all about #Cats', { language: 'en' });
    posted['both'] = await post(alice, '#cats and #dogs', { language: 'de' });
    posted['dogs'] = await post(bob, '#dogs alone', { language: 'de', media_ids: [await upload(bob)] });
    posted['unlisted'] = await post(bob, '#cats, not on lists', { visibility: 'unlisted' });
    posted['answer'] = await post(bob, 'an answer', { in_reply_to_id: posted['cats'] });
    posted['tagged answer'] = await post(bob, 'an answer on #dogs', { in_reply_to_id: posted['cats'] });
    posted['remote'] = await remotePost(town, far, { tags: [{ name: 'Cats', normal: 'cats' }] });
    posted['reblog'] = await reblog(bob, posted['cats']);
    posted['gone'] = await post(bob, '#cats and #dogs, not for long');
    await bob.delete(`/api/v1/statuses/${posted['gone']}`);
  });

  const names = (ids: readonly string[]): string[] =>
    ids.map((id) => Object.keys(posted).find((name) => posted[name] === id) ?? id);
  const read = async (path: string, who: Client = town.nobody): Promise<string[]> =>
    names(await timeline(town, who, `/api/v1/timelines/${path}`));

  it('show public posts that are no replies to others, newest first', async () => {
    expect(await read('public')).to.deep.equal(['remote', 'dogs', 'both', 'cats']);
    expect(await read(`public?max_id=${posted['dogs']}`)).to.deep.equal(['both', 'cats']);
    expect(await read(`public?min_id=${posted['cats']}&limit=1`)).to.deep.equal(['both']);
    expect(await read(`public?since_id=${posted['cats']}&limit=1`)).to.deep.equal(['remote']);
  });

  it('show local or remote posts, posts with media, and posts in some languages', async () => {
    expect(await read('public?local=true&limit=2')).to.deep.equal(['dogs', 'both']);
    expect(await read('public?remote=true')).to.deep.equal(['remote']);
    expect(await read('public?local=true&remote=true')).to.have.length(4);
    expect(await read('public?only_media=true')).to.deep.equal(['dogs']);
    expect(await read('public?languages[]=de')).to.deep.equal(['remote', 'dogs', 'both']);
    expect(await read('tag/cats?languages=en')).to.deep.equal(['remote', 'cats']);
  });

  it('find a hashtag in any spelling, with any, all and none', async () => {
    expect(await read('tag/cats')).to.deep.equal(['remote', 'both', 'cats']);
    expect(await read('tag/CÀTS')).to.deep.equal(['remote', 'both', 'cats']);
    expect(await read('tag/cats?any[]=dogs')).to.deep.equal([
      'remote',
      'tagged answer',
      'dogs',
      'both',
      'cats',
    ]);
    expect(await read('tag/cats?all[]=Dogs')).to.deep.equal(['both']);
    expect(await read('tag/cats?all[]=Dogs&all[]=birds')).to.deep.equal([]);
    expect(await read('tag/cats?none[]=dogs')).to.deep.equal(['remote', 'cats']);
    expect(await read('tag/cats?any[]=dogs&none[]=cats&local=true&only_media=1')).to.deep.equal(['dogs']);
    expect(await read('tag/cats?any[]=dogs&limit=2')).to.deep.equal(['remote', 'tagged answer']);
    expect(await read(`tag/cats?any[]=dogs&min_id=${posted['cats']}&limit=2`)).to.deep.equal([
      'dogs',
      'both',
    ]);
    expect(await read('tag/nothing')).to.deep.equal([]);
    expect(await read('tag/%23%23')).to.deep.equal([]);
  });

  it('use four additional hashtags of each kind', async () => {
    const more = (names: readonly string[]): string => names.map((name) => `any[]=${name}`).join('&');
    expect(await read(`tag/x?${more(['a', 'b', 'c', 'dogs', 'e'])}`)).to.include('dogs');
    expect(await read(`tag/x?${more(['a', 'b', 'c', 'd', 'dogs'])}`)).to.deep.equal([]);
  });

  it('show posts of discoverable accounts that link to a trending page', async () => {
    const path = `link?url=${encodeURIComponent(LINK)}`;
    const { status, json } = await town.nobody.get(`/api/v1/timelines/${path}`);
    expect([status, json]).to.deep.equal([404, { error: 'Record not found' }]);
    await makeTrend(town, LINK);
    expect(await read(path)).to.deep.equal([]);
    posted['link'] = await post(alice, 'see this');
    posted['shy link'] = await post(bob, 'see this, too');
    posted['unlisted link'] = await post(alice, 'see this, quietly', { visibility: 'unlisted' });
    posted['other link'] = await post(alice, 'see that');
    for (const name of ['link', 'shy link', 'unlisted link']) await giveCard(town, posted[name]!, LINK);
    await giveCard(town, posted['other link'], `${LINK}1`);
    expect(await read(path)).to.deep.equal(['link']);
    expect(await read(`${path}&max_id=${posted['link']}`)).to.deep.equal([]);
    await giveCard(town, posted['link'], 'https://news.example/elsewhere');
    expect(await read(path)).to.deep.equal([]);
    const long = `?url=https://news.example/${'x'.repeat(3_000)}`;
    for (const query of ['', '?url=', '?url=nonsense', '?url=javascript:1', '?url[a]=b', long]) {
      const answer = await town.nobody.get(`/api/v1/timelines/link${query}`);
      expect([answer.status, answer.json], query).to.deep.equal([404, { error: 'Record not found' }]);
    }
  });

  it('leave out muted accounts, and return full pages', async () => {
    await alice.post(`/api/v1/accounts/${bob.id}/mute`);
    expect(await read('tag/dogs?any[]=cats&limit=3', alice)).to.deep.equal(['remote', 'both', 'cats']);
    await alice.post(`/api/v1/accounts/${bob.id}/unmute`);
  });

  it('contain no direct messages', async () => {
    expect((await alice.get('/api/v1/timelines/direct')).status).to.equal(404);
  });

  it('need the token of a user when the preview is disabled', async () => {
    await changeSettings(town.app.systemContext('spec'), { timeline_preview: false });
    const strangers = [town.nobody, await town.appOnly()];
    for (const path of ['public', 'tag/cats', `link?url=${LINK}`]) {
      for (const stranger of strangers) {
        const { status, json } = await stranger.get(`/api/v1/timelines/${path}`);
        expect({ status, json }, path).to.deep.equal({
          status: 401,
          json: { error: 'This method requires an authenticated user' },
        });
      }
    }
    expect(await read('tag/cats', alice)).to.have.length(3);
  });
});
