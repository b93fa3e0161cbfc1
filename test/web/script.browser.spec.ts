import { expect } from 'chai';
import { DEVICES } from '../account-pages/real-browser.ts';
import { axeFindings } from '../pages/axe.ts';
import { eventually } from '../support/eventually.ts';
import { ok, type Person } from '../support/people.ts';
import { post, reblog } from '../timelines/support.ts';
import { describeScripts, isSamePage, mark, type Seat } from './script-support.ts';

interface Marked {
  favourited: boolean;
  reblogged: boolean;
}

describeScripts('The script of the web client', function (town) {
  let alice: Person;
  let bob: Person;
  let seat: Seat;
  let id: string;

  before(async () => {
    [alice, bob] = [await town.person('alice'), await town.person('bob')];
    await ok(alice.post(`/api/v1/accounts/${bob.id}/follow`));
    seat = await town.seat(alice);
  });
  beforeEach(async () => {
    id = await post(bob, 'Hello from Bob');
    await town.waitUntilIdle();
    await seat.open('/home');
    await mark(seat.page);
  });
  afterEach(() => expect(seat.errors).to.deep.equal([]));

  const button = (kind: string, of = id) => seat.page.locator(`.post[data-id="${of}"] .act.${kind}`);
  const pressed = (kind: string, of = id) => button(kind, of).first().getAttribute('aria-pressed');
  const stateOf = (): Promise<Marked> => ok(alice.get<Marked>(`/api/v1/statuses/${id}`));

  it('favourites and boosts without a page change, and takes both back', async () => {
    for (const [kind, field] of [
      ['favourite', 'favourited'],
      ['boost', 'reblogged'],
    ] as const) {
      await button(kind).focus();
      await seat.page.keyboard.press('Enter');
      await button(kind).and(seat.page.locator('[formaction*="/un"]')).waitFor();
      expect(await pressed(kind)).to.equal('true');
      expect((await stateOf())[field], kind).to.equal(true);
      expect(await button(kind).and(seat.page.locator(':focus')).count()).to.equal(1);
      await button(kind).click();
      await button(kind).and(seat.page.locator(':not([formaction*="/un"])')).waitFor();
      expect((await stateOf())[field], kind).to.equal(false);
    }
    expect(await isSamePage(seat.page)).to.equal(true);
  });

  it('keeps the line about who boosted a post', async () => {
    const dora = await town.person('dora');
    const far = await post(dora, 'Boosted by Bob');
    const boost = await reblog(bob, far);
    await town.waitUntilIdle();
    await seat.open('/home');
    await button('favourite', far).click();
    await button('favourite', far).and(seat.page.locator('[formaction*="/un"]')).waitFor();
    expect(await seat.page.locator(`#s${boost}[data-id="${far}"] .post-context`).innerText()).to.match(
      /bob\s+boosted/,
    );
  });

  it('takes a press back when the server does not reply, and says so', async () => {
    await seat.page.route('**/web/v1/**', (route) => route.abort());
    await button('favourite').click();
    await seat.page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    expect(await pressed('favourite')).to.equal('false');
    await seat.page.unroute('**/web/v1/**');
    await button('favourite').click();
    await button('favourite').and(seat.page.locator('[formaction*="/un"]')).waitFor();
    expect((await stateOf()).favourited).to.equal(true);
  });

  it('says that a post is gone, and takes the press back', async () => {
    await seat.page.route('**/web/streaming*', (route) => route.abort());
    await seat.open('/home');
    await bob.delete(`/api/v1/statuses/${id}`);
    await town.waitUntilIdle();
    await button('favourite').click();
    await seat.page.getByRole('alert').getByText('This is no longer there.').waitFor();
    expect(await pressed('favourite')).to.equal('false');
    await seat.page.unroute('**/web/streaming*');
  });

  it('sends one request for a double click', async () => {
    const sent: string[] = [];
    seat.page.on('request', (request) => {
      if (request.url().includes('/web/v1/')) sent.push(request.url());
    });
    await seat.page.route('**/web/v1/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await button('favourite').dblclick();
    await button('favourite').and(seat.page.locator('[formaction*="/un"]')).waitFor();
    await seat.page.unroute('**/web/v1/**');
    expect(sent).to.have.length(1);
  });

  it('leads to the sign-in page when the session has ended', async () => {
    const other = await town.seat(alice);
    await other.open('/home');
    await other.context.clearCookies();
    await other.page.locator(`.post[data-id="${id}"] .act.favourite`).click();
    await other.page.waitForURL(/auth\/sign_in/);
    await other.context.close();
  });

  it('counts new posts live, shows them on a click, and removes deleted ones', async () => {
    await connected();
    const [one, two] = [await post(bob, 'News one'), await post(bob, 'News two')];
    await seat.page.getByRole('button', { name: '2 new posts' }).click();
    await seat.page.locator(`#s${two}`).waitFor();
    const ids = await seat.page
      .locator('.feed > article')
      .evaluateAll((nodes) => nodes.map(({ id: each }) => each));
    expect(ids.slice(0, 3)).to.deep.equal([`s${two}`, `s${one}`, `s${id}`]);
    expect(await seat.page.getByRole('button', { name: /new post/ }).count()).to.equal(0);
    await bob.delete(`/api/v1/statuses/${one}`);
    await seat.page.locator(`#s${one}`).waitFor({ state: 'detached' });
    expect(await isSamePage(seat.page)).to.equal(true);
  });

  it('shows edits live', async () => {
    await connected();
    await ok(bob.put(`/api/v1/statuses/${id}`, { status: 'Hello again from Bob' }));
    await seat.page.locator(`#s${id}`).getByText('Hello again from Bob').waitFor();
    expect(await isSamePage(seat.page)).to.equal(true);
  });

  it('finds what came while the connection was lost', async () => {
    await connected();
    await seat.context.setOffline(true);
    await seat.page.evaluate('dispatchEvent(new Event("pagehide"))');
    await post(bob, 'Unheard');
    await seat.context.setOffline(false);
    await seat.page.evaluate('dispatchEvent(new Event("online"))');
    await seat.page.getByRole('button', { name: '1 new post' }).waitFor();
  });

  it('updates a second tab of the same user', async () => {
    const page = await seat.context.newPage();
    await page.goto(seat.page.url());
    await page.waitForLoadState('networkidle').catch(() => undefined);
    const mine = await post(alice, 'From my other device');
    for (const tab of [seat.page, page]) await tab.getByRole('button', { name: /new post/ }).waitFor();
    await alice.delete(`/api/v1/statuses/${mine}`);
    for (const tab of [seat.page, page])
      await tab.getByRole('button', { name: /new post/ }).waitFor({ state: 'detached' });
    await page.close();
  });

  it('follows the keys of Mastodon, but not while typing', async () => {
    const { page } = seat;
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.id')).to.equal(`s${id}`);
    await page.keyboard.press('f');
    await button('favourite').and(page.locator('[formaction*="/un"]')).waitFor();
    await page.keyboard.press('Control+b');
    expect(await pressed('boost')).to.equal('false');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await page.evaluate('document.activeElement.id')).to.equal(`s${id}`);
    await page.keyboard.press('/');
    await page.keyboard.type('fbn?');
    expect(await page.locator('.topbar [name=q]').inputValue()).to.equal('fbn?');
    expect(await isSamePage(page)).to.equal(true);
    await page.locator('main').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await eventually(async () => expect(await isSamePage(page)).to.equal(false));
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/@bob/${id}$`));
  });

  it('toggles a content warning by a key', async () => {
    const warned = await post(bob, 'The end', { spoiler_text: 'Spoiler' });
    await town.waitUntilIdle();
    await seat.open('/home');
    const veil = seat.page.locator(`#s${warned} details`);
    await seat.page.keyboard.press('j');
    await seat.page.keyboard.press('x');
    await eventually(async () => expect(await veil.getAttribute('open')).to.equal(''));
    await seat.page.keyboard.press('x');
    await eventually(async () => expect(await veil.getAttribute('open')).to.equal(null));
  });

  it('writes times in the zone of the browser', async () => {
    const title = await seat.page.locator(`#s${id} time`).getAttribute('title');
    expect(title).to.match(/^\d+ \w+ \d{4}, \d\d:\d\d$/);
  });

  for (const device of DEVICES) {
    it(`is accessible with the keys and a message open, ${device.device}, ${device.colorScheme}`, async () => {
      const other = await town.seat(alice, device);
      await other.open('/home');
      await other.page.keyboard.press('?');
      await other.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      expect(await axeFindings(other.page)).to.deep.equal([]);
      await other.page.keyboard.press('Escape');
      await other.page.getByRole('dialog').waitFor({ state: 'detached' });
      await other.page.route('**/web/v1/**', (route) => route.abort());
      await other.page.locator('.act.favourite').first().click();
      await other.page.getByRole('alert').waitFor();
      await post(bob, 'Fresh');
      await other.page.getByRole('button', { name: /new post/ }).waitFor();
      expect(await axeFindings(other.page)).to.deep.equal([]);
      await other.context.close();
    });
  }

  /** Resolves when the page listens. */
  const connected = async (): Promise<void> => {
    const probe = await post(bob, 'Do you hear me?');
    await seat.page.getByRole('button', { name: /new post/ }).waitFor();
    await bob.delete(`/api/v1/statuses/${probe}`);
    await seat.page.getByRole('button', { name: /new post/ }).waitFor({ state: 'detached' });
  };
});
