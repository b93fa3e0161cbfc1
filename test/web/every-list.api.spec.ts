import { expect } from 'chai';
import { createAnnouncement } from '#commands/announcements/index.ts';
import { rank } from '#reactors/rankings.ts';
import { signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { follow, giveCard, post, reblog, type WithId } from '../timelines/support.ts';

const FEW = 5;
const MANY = 20;

describeTown('Each list of the web client', function (town) {
  this.timeout(240_000);
  let alice: Person;
  /** Enough people to make something trend. */
  let crowd: Person[];
  let browser: Browser;
  let liked: string;
  let wide: string;
  const cost = new Map<string, { few: Seen; many: Seen }>();

  /** The lists that no other spec counts. */
  const lists = (): string[] => [
    ...['/filters', `/filters/${wide}/statuses`, `/filters/status/${liked}`, `/filters/${wide}/edit`],
    ...['/notifications/requests', '/announcements', '/scheduled', '/lists', '/@alice/lists'],
    ...['/follow_requests', '/blocks', '/mutes', '/domain_blocks', '/directory'],
    ...['/explore', '/explore/tags', '/explore/links', '/explore/suggestions', '/start/people'],
    ...['/search?q=fan&type=accounts', '/search?q=%23tag&type=hashtags'],
    ...['favourites', 'reblogs', 'quotes', 'history'].map((list) => `/@alice/${liked}/${list}`),
  ];

  before(async () => {
    alice = await town.staff('alice', 'Owner');
    crowd = await Promise.all(['ann', 'ben', 'cleo', 'dan', 'eve'].map((name) => town.person(name)));
    liked = await post(alice, 'Liked by all');
    const filter = { title: 'Wide', context: ['home'] };
    wide = (await ok(alice.post<WithId>('/api/v2/filters', filter))).id;
    await ok(alice.patch('/api/v1/accounts/update_credentials', { locked: true }));
    await ok(alice.patch('/api/v2/notifications/policy', { for_not_following: 'filter' }));
    await town.waitUntilIdle();
    browser = await signedIn(town.server, 'alice');

    await grow(0, FEW);
    const few = await seen();
    await grow(FEW, MANY);
    const many = await seen();
    for (const path of lists()) cost.set(path, { few: few.get(path)!, many: many.get(path)! });
  });

  /** Adds to each list, until it has so many items. */
  async function grow(from: number, to: number): Promise<void> {
    for (let index = from; index < to; index += 1) {
      await ownThings(index);
      await fanOf(index);
    }
    await town.waitUntilIdle();
    for (const kind of ['tags', 'statuses', 'links'] as const) {
      await rank(town.app.systemContext('spec'), kind);
      const waiting = await ok(alice.get<WithId[]>(`/api/v1/admin/trends/${kind}?limit=40`));
      for (const { id } of waiting) await alice.post(`/api/v1/admin/trends/${kind}/${id}/approve`);
    }
    await town.waitUntilIdle();
  }

  async function ownThings(index: number): Promise<void> {
    const far = (kind: string): Promise<string> => remoteAccount(town.app, `${kind}${index}`, 'far.example');
    await ok(alice.post(`/api/v1/accounts/${await far('blocked')}/block`));
    await ok(alice.post(`/api/v1/accounts/${await far('muted')}/mute`));
    await ok(alice.post('/api/v1/domain_blocks', { domain: `spam${index}.example` }));
    await ok(alice.post('/api/v1/lists', { title: `List ${index}` }));
    const keyword = { keyword: `word${index}`, whole_word: true };
    const filter = { title: `Filter ${index}`, context: ['home'], keywords_attributes: [keyword] };
    await ok(alice.post('/api/v2/filters', filter));
    await ok(alice.post(`/api/v2/filters/${wide}/keywords`, keyword));
    await ok(alice.put(`/api/v1/statuses/${liked}`, { status: `Liked by all, edit ${index}` }));
    const scheduled_at = new Date(Date.now() + 86_400_000 + index * 60_000).toISOString();
    await ok(alice.post('/api/v1/statuses', { status: `Later ${index}`, scheduled_at }));
    const moment = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null };
    await createAnnouncement(town.app.systemContext('spec'), { text: `News ${index}`, ...moment });
  }

  async function fanOf(index: number): Promise<void> {
    const fan = await town.person(`fan_${index}`, { discoverable: true });
    await ok(follow(fan, alice));
    await ok(fan.post(`/api/v1/statuses/${liked}/favourite`));
    await reblog(fan, liked);
    await post(fan, '@alice who are you?');
    await post(fan, 'A quote', { quoted_status_id: liked });
    const about = await post(fan, 'Trees');
    await ok(alice.post(`/api/v2/filters/${wide}/statuses`, { status_id: about }));
    await ok(alice.post(`/api/v1/statuses/${about}/favourite`));
    for (const other of crowd) {
      await ok(other.post(`/api/v1/statuses/${about}/favourite`));
      await reblog(other, about);
      await giveCard(town, await post(other, `Read this #tag${index}`), `https://news.example/${index}`);
    }
  }

  interface Seen {
    /** The elements of the page. */
    elements: number;
    statements: string[];
  }

  async function seen(): Promise<Map<string, Seen>> {
    const found = new Map<string, Seen>();
    for (const path of lists()) {
      const { status, body } = await browser.open(path);
      expect(status, path).to.equal(200);
      const statements = await statementsOfRequests(town.app.db, () => browser.open(path));
      const { elements } = load(body as string);
      found.set(path, { elements: elements.length, statements: statements.toSorted() });
    }
    return found;
  }

  it('grows when there are more items', () => {
    const idle = [...cost].filter(([, { few, many }]) => many.elements < few.elements + MANY - FEW);
    expect(idle.map(([path, { few, many }]) => [path, few.elements, many.elements])).to.deep.equal([]);
  });

  it('runs as many statements for 20 items as for 5', () => {
    for (const [path, { few, many }] of cost) {
      expect(few.statements, path).not.to.deep.equal([]);
      expect(many.statements, path).to.deep.equal(few.statements);
    }
  });
});
