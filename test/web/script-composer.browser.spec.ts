import { expect } from 'chai';
import { DEVICES } from '../account-pages/real-browser.ts';
import { axeFindings } from '../pages/axe.ts';
import { eventually } from '../support/eventually.ts';
import { ok, type Person } from '../support/people.ts';
import { picture } from '../support/uploads.ts';
import { home, post } from '../timelines/support.ts';
import { describeScripts, isSamePage, mark, type Seat } from './script-support.ts';

describeScripts('The composer and the menus with scripts', function (town) {
  let alice: Person;
  let bob: Person;
  let seat: Seat;

  before(async () => {
    [alice, bob] = [await town.person('alice'), await town.person('bob')];
    await ok(alice.post(`/api/v1/accounts/${bob.id}/follow`));
    seat = await town.seat(alice);
  });
  afterEach(() => expect(seat.errors).to.deep.equal([]));

  const text = () => seat.page.locator('textarea[name=status]');
  const left = () => seat.page.locator('.compose .left').innerText();

  it('posts twice from home without a page change, and shows the posts', async () => {
    await seat.open('/home');
    await mark(seat.page);
    for (const words of ['First words', 'Second words']) {
      await text().fill(words);
      await seat.page.keyboard.press('Control+Enter');
      await seat.page.locator('.feed .post').first().getByText(words).waitFor();
      expect(await text().inputValue()).to.equal('');
    }
    expect(await home(town, alice)).to.have.length(2);
    expect(await isSamePage(seat.page)).to.equal(true);
  });

  it('keeps the text when the server does not reply, and posts it once after', async () => {
    await seat.open('/home');
    await text().fill('Only once');
    await seat.page.route('**/publish', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await seat.page.getByRole('button', { name: 'Post', exact: true }).click();
    await seat.page.getByRole('alert').getByText('cannot be reached').waitFor();
    expect(await text().inputValue()).to.equal('Only once');
    await seat.page.unroute('**/publish');
    await seat.page.getByRole('button', { name: 'Post', exact: true }).click();
    await eventually(async () => expect(await text().inputValue()).to.equal(''));
    await town.waitUntilIdle();
    const { json } = await alice.get<{ content: string }[]>(`/api/v1/accounts/${alice.id}/statuses`);
    expect(json.filter(({ content }) => content.includes('Only once'))).to.have.length(1);
  });

  it('says why a post is refused, and keeps it', async () => {
    await seat.open('/home');
    await text().fill('x'.repeat(501));
    expect(await left()).to.equal('-1');
    await seat.page.getByRole('button', { name: 'Post', exact: true }).click();
    await seat.page.getByRole('alert').first().waitFor();
    expect(await text().inputValue()).to.have.length(501);
  });

  it('counts links and mentions as the server does', async () => {
    await seat.open('/publish');
    await text().fill(`https://example.com/${'a'.repeat(100)} @bob@far.example.org 👩‍👩‍👧‍👦`);
    expect(await left()).to.equal(String(500 - 23 - 6 - 1));
  });

  it('keeps a draft over a reload until it is posted', async () => {
    await seat.open('/publish');
    await text().fill('Not lost');
    await seat.page.reload();
    expect(await text().inputValue()).to.equal('Not lost');
    await seat.page.keyboard.press('Control+Enter');
    await seat.page.waitForURL((url) => url.pathname !== '/publish' || url.search.includes('done='));
    await seat.open('/publish');
    expect(await text().inputValue()).to.equal('');
  });

  it('previews chosen, pasted and dropped pictures', async () => {
    await seat.open('/publish');
    const buffer = Buffer.from(await picture(40, 30, 'png'));
    await seat.page
      .locator('[data-media-input]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    await seat.page.getByRole('img', { name: 'Preview of a.png' }).waitFor();
    for (const event of ['paste', 'drop']) {
      await seat.page.evaluate(
        ([type, base64]) => {
          // The page's own types, which specs do not have.
          // eslint-disable-next-line @typescript-eslint/no-explicit-any
          const page = globalThis as any;
          const transfer = new page.DataTransfer();
          const bytes = Uint8Array.from(atob(base64 ?? ''), (char) => char.charCodeAt(0));
          transfer.items.add(new page.File([bytes], `${type}.png`, { type: 'image/png' }));
          const init = { bubbles: true, cancelable: true };
          const area = page.document.querySelector('textarea[name=status]');
          area.dispatchEvent(
            type === 'paste'
              ? new page.ClipboardEvent(type, { ...init, clipboardData: transfer })
              : new page.DragEvent(type, { ...init, dataTransfer: transfer }),
          );
        },
        [event, buffer.toString('base64')],
      );
      await seat.page.getByRole('img', { name: `Preview of ${event}.png` }).waitFor();
    }
    expect(await seat.page.locator('.previews li').count()).to.equal(3);
    expect(await axeFindings(seat.page)).to.deep.equal([]);
  });

  it('completes names, by keys', async () => {
    await seat.open('/home');
    await text().fill('Hello ');
    await text().pressSequentially('@bo');
    await seat.page.getByRole('option', { name: 'bob' }).waitFor();
    expect(await axeFindings(seat.page)).to.deep.equal([]);
    await seat.page.keyboard.press('Enter');
    expect(await text().inputValue()).to.equal('Hello @bob ');
    await text().fill('');
  });

  for (const device of DEVICES) {
    it(`opens the menu of a post in place, ${device.device}, ${device.colorScheme}`, async () => {
      const id = await post(bob, 'A post with a menu');
      await town.waitUntilIdle();
      const other = await town.seat(alice, device);
      await other.open('/home');
      await mark(other.page);
      const link = other.page.locator(`#s${id} a[data-menu]`);
      await link.focus();
      await other.page.keyboard.press('Enter');
      const menu = other.page.getByRole('dialog', { name: 'More' });
      await menu.waitFor();
      expect(await axeFindings(other.page)).to.deep.equal([]);
      const focused = () => other.page.locator(':focus').innerText();
      const first = await focused();
      await other.page.keyboard.press('ArrowDown');
      expect(await focused()).not.to.equal(first);
      await other.page.keyboard.press('ArrowUp');
      expect(await focused()).to.equal(first);
      await other.page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      expect(await link.and(other.page.locator(':focus')).count()).to.equal(1);
      await link.click();
      await menu.getByRole('button', { name: 'Boost for everyone' }).click();
      await other.page.locator(`#s${id} .act.boost[formaction$=unreblog]`).waitFor();
      expect(await isSamePage(other.page)).to.equal(true);
      expect(other.errors).to.deep.equal([]);
      await other.context.close();
    });
  }

  it('votes without a page change', async () => {
    await ok(
      bob.post('/api/v1/statuses', { status: 'Which?', poll: { options: ['One', 'Two'], expires_in: 3600 } }),
    );
    await town.waitUntilIdle();
    await seat.open('/home');
    await mark(seat.page);
    const poll = seat.page.locator('.poll').first();
    await poll.getByLabel('Two').check();
    await poll.getByRole('button', { name: 'Vote' }).click();
    await poll.getByText('100 %').waitFor();
    expect(await isSamePage(seat.page)).to.equal(true);
  });
});
