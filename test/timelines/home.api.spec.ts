import { expect } from 'chai';
import { recordActivity } from '#commands/accounts/index.ts';
import { askProjectorsToRetry } from '#storage/postgres/projector/projector.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, type Person } from '../support/people.ts';
import { follow, home, list, post, reblog, whileMerged } from './support.ts';

describeTown('The home timeline', (town) => {
  let reader: Person;

  before(async () => {
    reader = await town.person('reader');
    await recordActivity(town.app.systemContext('spec'), reader.id);
  });
  // Both ways of reading give the same timelines.
  afterEach(async () => {
    const written = await home(town, reader);
    expect(await whileMerged(town, reader, () => home(town, reader)), 'merged').to.deep.equal(written);
  });

  it('contains posts of followed accounts, before and after the follow, and no others', async () => {
    const anna = await town.person('anna');
    const before = await post(anna, 'before');
    await follow(reader, anna);
    const after = await post(anna, 'after');
    const own = await post(reader, 'mine');
    await post(await town.person('stranger'), 'a stranger');
    expect(await home(town, reader)).to.deep.equal([own, after, before]);
  });

  it('contains followers-only posts of followed accounts, and direct ones only if they mention the viewer', async () => {
    const gert = await town.person('gert');
    await follow(reader, gert);
    const toFollowers = await post(gert, 'for followers', { visibility: 'private' });
    const toReader = await post(gert, 'psst, @reader', { visibility: 'direct' });
    const toNobody = await post(gert, 'a note of @gert', { visibility: 'direct' });
    expect(await home(town, reader))
      .to.include.members([toFollowers, toReader])
      .and.not.include(toNobody);
  });

  it('loses the posts of an account when the viewer unfollows it', async () => {
    const ben = await town.person('ben');
    await follow(reader, ben);
    const id = await post(ben, 'soon gone');
    expect(await home(town, reader)).to.include(id);
    await reader.post(`/api/v1/accounts/${ben.id}/unfollow`);
    expect(await home(town, reader)).not.to.include(id);
  });

  it('loses deleted posts, and shows earlier ones', async () => {
    const hans = await town.person('hans');
    await follow(reader, hans);
    const first = await post(hans, 'the first');
    const second = await post(hans, 'the second');
    await hans.delete(`/api/v1/statuses/${second}`);
    expect(await home(town, reader))
      .to.include(first)
      .and.not.include(second);
  });

  it('shows replies only if the viewer follows both accounts', async () => {
    const [ida, friend, stranger] = [
      await town.person('ida'),
      await town.person('friend'),
      await town.person('unknown'),
    ];
    await follow(reader, ida);
    await follow(reader, friend);
    const answer = async (to: Person): Promise<string> =>
      post(ida, 'an answer', { in_reply_to_id: await post(to, 'a question') });
    const [toFriend, toReader, toSelf, toStranger] = [
      await answer(friend),
      await answer(reader),
      await answer(ida),
      await answer(stranger),
    ];
    expect(await home(town, reader))
      .to.include.members([toFriend, toReader, toSelf])
      .and.not.include(toStranger);
  });

  it('shows only the languages that the viewer chose for an author', async () => {
    const carl = await town.person('carl');
    await follow(reader, carl, { languages: ['de'] });
    const german = await post(carl, 'Guten Tag', { language: 'de' });
    const english = await post(carl, 'Good day', { language: 'en' });
    expect(await home(town, reader))
      .to.include(german)
      .and.not.include(english);
  });

  it('shows the reblogs of an author while the viewer wants them', async () => {
    const [dora, other] = [await town.person('dora'), await town.person('other')];
    await follow(reader, dora);
    const id = await reblog(dora, await post(other, 'worth reading'));
    expect(await home(town, reader)).to.include(id);
    await follow(reader, dora, { reblogs: false });
    expect(await home(town, reader)).not.to.include(id);
  });

  it('shows public posts with a followed hashtag by any author, until it is unfollowed', async () => {
    const poet = await town.person('poet');
    const before = await post(poet, 'an old #Haiku');
    await reader.post('/api/v1/tags/haiku/follow');
    const answer = await post(poet, 'one more #haiku', { in_reply_to_id: await post(poet, 'untagged') });
    const quiet = await post(poet, 'a quiet #haiku', { visibility: 'unlisted' });
    expect(await home(town, reader))
      .to.include.members([before, answer])
      .and.not.include(quiet);
    await reader.post(`/api/v1/accounts/${poet.id}/mute`);
    expect(await home(town, reader)).not.to.include(before);
    await reader.post(`/api/v1/accounts/${poet.id}/unmute`);
    await reader.post('/api/v1/tags/haiku/unfollow');
    expect(await home(town, reader)).not.to.include(before);
  });

  it('shows a post once that comes by a follow and by a hashtag', async () => {
    const singer = await town.person('singer');
    await follow(reader, singer);
    await reader.post('/api/v1/tags/songs/follow');
    const id = await post(singer, 'new #songs');
    expect((await home(town, reader)).filter((each) => each === id)).to.have.length(1);
  });

  it('leaves out the members of exclusive lists, while they are members', async () => {
    const loud = await town.person('loud');
    await follow(reader, loud);
    const id = await post(loud, 'all day long');
    const listId = await list(reader, { exclusive: true }, [loud]);
    expect(await home(town, reader)).not.to.include(id);
    await reader.put(`/api/v1/lists/${listId}`, { title: 'Loud ones', exclusive: false });
    expect(await home(town, reader)).to.include(id);
    await reader.put(`/api/v1/lists/${listId}`, { title: 'Loud ones', exclusive: true });
    await reader.delete(`/api/v1/lists/${listId}/accounts`, { account_ids: [loud.id] });
    expect(await home(town, reader)).to.include(id);
  });

  it('leaves out the members of exclusive lists as they were when lists were halted, and says so', async () => {
    const [loud, fan] = [await town.person('night_owl'), await town.person('sleeper')];
    await follow(fan, loud);
    const id = await post(loud, 'all night long');
    await list(fan, { exclusive: true }, [loud]);
    const own = await post(fan, 'my own');
    expect(await home(town, fan))
      .to.include(own)
      .and.not.include(id);
    const outdated = async (): Promise<string | null> =>
      (await town.server.call('GET', '/api/v1/timelines/home', { token: fan.token })).headers.get(
        'rookery-outdated',
      );
    expect(await outdated()).to.equal(null);
    const { projectionDb } = town.app;
    await projectionDb.query('alter table lists add constraint refused check (false) not valid');
    await fan.post('/api/v1/lists', { title: 'One more' });
    await eventually(async () => expect(await outdated()).to.equal('lists'));
    expect(await home(town, fan))
      .to.include(own)
      .and.not.include(id);
    expect((await fan.get('/api/v1/lists')).status).to.equal(503);
    await projectionDb.query('alter table lists drop constraint refused');
    await askProjectorsToRetry(projectionDb);
    await eventually(async () => expect(await outdated()).to.equal(null));
  });

  it('leaves out blocked and muted accounts: as author, reblogged or mentioned', async () => {
    const [pal, pest] = [await town.person('pal'), await town.person('pest')];
    await follow(reader, pal);
    const about = [
      await reblog(pal, await post(pest, 'look at me')),
      await post(pal, 'hello @pest'),
      await reblog(pal, await post(await town.person('fan'), 'great, @pest')),
    ];
    // Reads all of it, and a page that fan-out on write fills alone: these are different statements.
    const both = async (): Promise<string[]> => [
      ...(await home(town, reader)),
      ...(await home(town, reader, 'limit=3')),
    ];
    expect(await home(town, reader)).to.include.members(about);
    expect(await home(town, reader, 'limit=3')).to.have.members(about);
    for (const deed of ['mute', 'block']) {
      await reader.post(`/api/v1/accounts/${pest.id}/${deed}`);
      expect(await both(), deed).not.to.include.oneOf(about);
      await reader.post(`/api/v1/accounts/${pest.id}/un${deed}`);
    }
    await pest.post(`/api/v1/accounts/${reader.id}/block`);
    expect(await both())
      .to.include.members(about.slice(1))
      .and.not.include(about[0]);
    await pest.post(`/api/v1/accounts/${reader.id}/unblock`);
    expect(await home(town, reader, 'limit=3')).to.have.members(about);
  });

  it('marks posts of a muted thread', async () => {
    const [calm, loud] = [await post(reader, 'calm'), await post(reader, 'too much')];
    const muted = async (): Promise<unknown> => {
      const { json } = await reader.get<{ id: string; muted: boolean }[]>('/api/v1/timelines/home?limit=2');
      return json.map((status) => [status.id, status.muted]);
    };
    for (const deed of ['mute', 'unmute']) {
      await reader.post(`/api/v1/statuses/${loud}/${deed}`);
      expect(await muted(), deed).to.deep.equal([
        [loud, deed === 'mute'],
        [calm, false],
      ]);
    }
  });

  it('returns a full page whenever more posts exist, although most are left out', async () => {
    const [keen, noise] = [await town.person('keen'), await town.person('noise')];
    await follow(reader, keen);
    await follow(reader, noise);
    const wanted: string[] = [];
    for (let n = 0; n < 4; n += 1) wanted.unshift(await post(keen, `number ${n}`));
    for (let n = 0; n < 30; n += 1) await post(noise, `noise ${n}`);
    await reader.post(`/api/v1/accounts/${noise.id}/mute`);
    const pages = (): Promise<string[][]> =>
      Promise.all([
        home(town, reader, 'limit=2'),
        home(town, reader, `limit=2&max_id=${wanted[1]}`),
        home(town, reader, `limit=1&min_id=${wanted[0]}`),
        home(town, reader, `limit=3&min_id=${wanted[3]}`),
        home(town, reader, `limit=3&since_id=${wanted[2]}`),
      ]);
    const expected = [wanted.slice(0, 2), wanted.slice(2, 4), [], wanted.slice(0, 3), wanted.slice(0, 2)];
    expect(await pages(), 'written').to.deep.equal(expected);
    expect(await whileMerged(town, reader, pages), 'merged').to.deep.equal(expected);
  });

  it('is fanned out above the last inserted entry, and merged below', async () => {
    const all = await home(town, reader);
    const db = town.app.projectionDb;
    const kept = await db.query<{ status_id: string }>(
      `delete from home_entries where account_id = $1 and status_id <= $2 returning status_id`,
      [reader.id, all[3]],
    );
    await db.query('update home_readers set complete_after = $2 where account_id = $1', [reader.id, all[3]]);
    const pages = [
      'limit=3',
      'limit=40',
      `limit=4&max_id=${all[1]}`,
      `limit=5&min_id=${all[6]}`,
      `limit=1&min_id=${all[6]}`,
    ];
    const found = await Promise.all(pages.map((query) => home(town, reader, query)));
    await db.query('update home_readers set complete_after = 0 where account_id = $1', [reader.id]);
    await db.query('insert into home_entries select $1, * from unnest($2::bigint[])', [
      reader.id,
      kept.map(({ status_id }) => status_id),
    ]);
    expect(found).to.deep.equal([all.slice(0, 3), all, all.slice(2, 6), all.slice(1, 6), all.slice(5, 6)]);
  });

  it('is fanned out on read after a month of absence, until fan-out on write resumes', async () => {
    const dormant = await town.person('dormant');
    const author = await town.person('diligent');
    await follow(dormant, author);
    await town.waitUntilIdle();
    const db = town.app.projectionDb;
    const move = (days: number) =>
      db.query('update home_readers set active_on = active_on + $2::int where account_id = $1', [
        dormant.id,
        days,
      ]);
    await move(-31);
    const missed = await post(author, 'while he was away');
    await town.waitUntilIdle();
    const pages = [await home(town, dormant, 'limit=1'), (await home(town, dormant)).slice(0, 1)];
    await move(31);
    await db.query('insert into home_entries values ($1, $2)', [dormant.id, missed]);
    expect(pages).to.deep.equal([[missed], [missed]]);
  });

  it('finds posts without fan-out on write because of too many recipients', async () => {
    const star = await town.person('star');
    await follow(reader, star);
    const ids = [await post(star, 'to all'), await post(star, 'to all of you')].reverse();
    const all = await home(town, reader);
    const db = town.app.projectionDb;
    await db.query('delete from home_entries where account_id = $1 and status_id = any($2)', [
      reader.id,
      ids,
    ]);
    expect(await home(town, reader)).not.to.include.oneOf(ids);
    await db.query('update home_posts set wide = true where status_id = any($1)', [ids]);
    await db.query('update home_authors set wide_id = $2 where account_id = $1', [star.id, ids[0]]);
    const found = [await home(town, reader), await home(town, reader, `limit=1&min_id=${ids[1]}`)];
    await db.query('update home_authors set wide_id = null where account_id = $1', [star.id]);
    await db.query('update home_posts set wide = false where status_id = any($1)', [ids]);
    await db.query('insert into home_entries select $1, * from unnest($2::bigint[])', [reader.id, ids]);
    expect(found).to.deep.equal([all, [ids[0]]]);
  });
});
