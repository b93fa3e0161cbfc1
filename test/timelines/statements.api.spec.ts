import { expect } from 'chai';
import { describeTown, type Person } from '../support/people.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { follow, giveCard, list, post, reblog, upload, type WithId } from './support.ts';

/** Bounds the number of SQL statements of a page, whatever it contains. */
const AT_MOST = 4;

describeTown('A page of twenty statuses with every attribute', (town) => {
  let reader: Person;
  let author: Person;
  let listId: string;
  let stranger: string;

  before(async () => {
    reader = await town.person('reader');
    author = await town.person('author');
    const other = await town.person('other');
    await follow(reader, author);
    stranger = await post(other, 'who is not followed');
    listId = await list(reader, {}, [author]);
    await reader.post('/api/v2/filters', {
      title: 'No spoilers',
      context: ['home', 'public'],
      filter_action: 'warn',
      keywords_attributes: [{ keyword: 'plot', whole_word: true }],
    });
    for (let n = 0; n < 4; n += 1) {
      await post(author, `a picture #all ${n}`, { media_ids: [await upload(author)] });
      await post(author, `a poll #all ${n}`, { poll: { options: ['Yes', 'No'], expires_in: 3_600 } });
      await giveCard(town, await post(author, `a page #all ${n}`), 'https://news.example/');
      await reblog(author, await post(other, `reblogged, with a plot ${n}`));
      await post(author, `a quote #all ${n}`, { quoted_status_id: await post(other, `the plot ${n}`) });
    }
    await town.waitUntilIdle();
  });

  const statementsOf = (path: string): Promise<string[]> =>
    statementsOfRequests(town.app.db, async () => {
      const { json } = await reader.get<WithId[]>(path);
      expect(json, path).to.have.length(20);
    });

  it(`needs at most ${AT_MOST} SQL statements`, async () => {
    const paths = {
      '/api/v1/timelines/home': 'timeline_home_fanned_out',
      [`/api/v1/timelines/list/${listId}`]: 'statuses_find',
      [`/api/v1/accounts/${author.id}/statuses`]: 'statuses_find',
      '/api/v1/timelines/public': 'statuses_find',
    };
    for (const [path, name] of Object.entries(paths)) {
      const statements = await statementsOf(path);
      expect(statements, path).to.include(name);
      expect(statements.length, `${path}: ${statements.join(', ')}`).to.be.at.most(AT_MOST);
    }
  });

  it('needs no more on the home timeline below many replies to strangers', async () => {
    await reader.get('/api/v1/timelines/home'); // The very first read costs more.
    const before = await statementsOf('/api/v1/timelines/home');
    for (let n = 0; n < 60; n += 1)
      await post(author, `not for the reader ${n}`, { in_reply_to_id: stranger });
    await town.waitUntilIdle();
    expect(await statementsOf('/api/v1/timelines/home')).to.deep.equal(before);
  });

  it('shows all of them', async () => {
    const { json } = await reader.get<Record<string, unknown>[]>('/api/v1/timelines/home');
    const parts = ['poll', 'card', 'reblog', 'quote'] as const;
    const present = (part: (typeof parts)[number]) => json.filter((status) => status[part] !== null).length;
    expect(parts.map(present)).to.deep.equal([4, 4, 4, 4]);
    expect(json.filter(({ media_attachments: media }) => (media as unknown[]).length > 0)).to.have.length(4);
    expect(json.filter(({ filtered }) => (filtered as unknown[]).length > 0)).to.have.length.at.least(4);
  });
});
