import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { addRule } from '#commands/instance/index.ts';
import { openBrowserSite } from '../account-pages/real-browser.ts';
import { axeFindings } from '../pages/axe.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { letFollow, remoteAccount } from '../support/remote.ts';
import type { TestServer, TestUser } from '../support/server.ts';
import { picture } from '../support/uploads.ts';
import { relationTo } from './people-support.ts';

const PICTURES = process.env['TEST_SCREENSHOTS'];
const DEVICES = [
  { device: 'phone', width: 320, colorScheme: 'dark' },
  { device: 'desktop', width: 1_280, colorScheme: 'light' },
] as const;
const NAMES = ['ann', 'ben', 'cleo'] as const;

describe('Pages about people in a browser without scripts', function () {
  this.timeout(120_000);
  let server: TestServer;
  let browser: Browser;
  let origin: string;
  const people = new Map<string, TestUser>();

  before(async function () {
    this.timeout(120_000);
    if (!existsSync(CHROMIUM)) return this.skip();
    ({ server, browser, origin } = await openBrowserSite());
    for (const name of ['phone', 'desktop', ...NAMES]) people.set(name, await server.user(name));
    await addRule(server.app.systemContext('spec'), { text: 'Be kind', hint: '' });
    const ann = people.get('ann')!;
    await dress(ann);
    for (const status of ['A first post', 'A second post']) {
      const { body } = await server.call('POST', '/api/v1/statuses', { token: ann.token, body: { status } });
      const { id } = body as { id: string };
      if (status.includes('second')) {
        await server.call('POST', `/api/v1/statuses/${id}/pin`, { token: ann.token });
      }
    }
    const far = await remoteAccount(server.app, 'far', 'far.example');
    await letFollow(server.app, far, ann.id);
    await server.waitUntilIdle();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Fills in everything that a profile can have. */
  async function dress({ token }: TestUser): Promise<void> {
    const form = new FormData();
    form.set('display_name', 'Ann of the rooks and the crows');
    form.set('note', 'Birds, and https://example.org/a-very-long-path-that-does-not-fit-on-any-phone #trees');
    form.set('discoverable', 'true');
    form.set('bot', 'true');
    form.set('fields_attributes[0][name]', 'Website');
    form.set('fields_attributes[0][value]', 'https://ann.example.org');
    for (const [name, width, height] of [
      ['avatar', 400, 400],
      ['header', 1_500, 500],
    ] as const) {
      const file = new Uint8Array(await picture(width, height, 'png'));
      form.set(name, new Blob([file], { type: 'image/png' }), `${name}.png`);
    }
    const { status } = await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token,
      body: form,
    });
    expect(status).to.equal(200);
    await server.call('POST', '/api/v1/featured_tags', { token, body: { name: 'Trees' } });
  }

  /** Presses a control by the keyboard alone. */
  const byKey = async (page: Page, role: 'button' | 'link', name: string, key = 'Enter'): Promise<void> => {
    const control = page.getByRole(role, { name, exact: true }).first();
    await control.focus();
    expect(await page.evaluate('document.activeElement?.textContent.trim()')).to.equal(name);
    const from = page.url();
    await page.keyboard.press(key);
    if (role === 'link') await page.waitForURL(({ href }) => href !== from);
    await page.waitForLoadState();
  };
  /** Shows the page in both schemes to axe, and keeps a picture. */
  const looked = async (page: Page, name: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page), `${name}, ${colorScheme}`).to.deep.equal([]);
    }
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wide), `${name} is wider than the window`).to.equal(0);
    if (PICTURES === undefined) return;
    await mkdir(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  };
  const relation = async (device: string, name: string) =>
    relationTo(server, people.get(device)!.token, people.get(name)!.id);

  for (const { device, width, colorScheme } of DEVICES) {
    it(`follow three, mute, block and report by keyboard on a ${device}`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      // Scripting stays enabled for axe.
      await context.route('**/*.js', (route) => route.abort());
      const page = await context.newPage();
      const at = async (path: string): Promise<void> => {
        await page.goto(`${origin}${path}`);
      };
      await at('/auth/sign_in');
      await page.getByLabel('E-mail address or username').fill(device);
      await page.getByLabel('Password', { exact: true }).fill(`correct horse ${device}`);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/home/);

      for (const name of NAMES) {
        await at(`/@${name}`);
        await byKey(page, 'button', 'Follow');
        await page.getByRole('button', { name: 'Unfollow' }).first().waitFor();
        expect((await relation(device, name)).following, name).to.equal(true);
      }
      await at('/@ann');
      await looked(page, `${device}-profile`);
      const menu = page.locator('main summary[aria-label="More"]').first();
      await menu.focus();
      await page.keyboard.press('Enter');
      await looked(page, `${device}-menu`);
      await byKey(page, 'link', 'Mute');
      await looked(page, `${device}-mute`);
      await page.getByLabel('Duration').selectOption('3600');
      await byKey(page, 'button', 'Mute');
      await page.getByText(/Muted until/).waitFor();
      expect((await relation(device, 'ann')).muting).to.equal(true);

      await at('/@ben/block');
      await looked(page, `${device}-block`);
      await byKey(page, 'button', 'Block');
      await page.getByText('This account is blocked.').waitFor();
      expect((await relation(device, 'ben')).blocking).to.equal(true);

      await at('/@ann/report');
      await looked(page, `${device}-report`);
      await page.getByLabel('It is spam').focus();
      await page.keyboard.press('Space');
      await page.getByLabel('A first post').focus();
      await page.keyboard.press('Space');
      await byKey(page, 'button', 'Report');
      await page.getByRole('heading', { name: 'Thanks for reporting' }).waitFor();
      await looked(page, `${device}-reported`);

      for (const path of [
        ...['/@ann/followers', '/@ann/featured', '/@ann/more', '/@cleo/follow', '/@ann/note', '/@ann/lists'],
        ...['/blocks', '/mutes', '/domain_blocks', '/domain_blocks/new', '/follow_requests', '/directory'],
        ...['/@far@far.example', '/@far@far.example/block_domain', `/@${device}`],
      ]) {
        await at(path);
        await looked(page, `${device}${path.replaceAll(/[^\w@]+/g, '_')}`);
      }
      await context.close();
    });

    it(`lead visitors to their server on a ${device}`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${origin}/@ann`);
      await looked(page, `${device}-out-profile`);
      await byKey(page, 'link', 'Follow');
      await page.getByRole('heading', { name: 'Follow @ann' }).waitFor();
      await looked(page, `${device}-out-interact`);
      await page.getByLabel('Your handle or server').fill('nonsense');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await looked(page, `${device}-out-refused`);
      await page.goto(`${origin}/@ann/followers`);
      await looked(page, `${device}-out-followers`);
      await context.close();
    });
  }
});
