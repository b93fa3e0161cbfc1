import { expect } from 'chai';
import { clientPages } from '#interfaces/web/client/index.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
import { signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { exampleOf } from './page-examples.ts';
import { fillSite, type WholeSite } from './whole-site.ts';

const PAGES: readonly WebPage[] = [...accountPages, ...clientPages];
const FORMS = PAGES.filter(({ submit }) => submit !== undefined);
const BUTTONS = '/web/v';

/** Their parameters are no ids. */
const WITHOUT_ID = ['/terms-of-service/', '/settings/export/'];
const withId = PAGES.filter(
  ({ path }) => /:(id|\w+_id)\b/.test(path) && !path.startsWith(BUTTONS) && !WITHOUT_ID.includes(path),
);
/** Everybody may see these of others. */
const PUBLIC_THINGS = ['/collections/:id'];
/** Asks whether to remove a conversation and shows nothing of it. */
const BLIND = '/conversations/:id/delete';

const BAD_IDS = ['0', 'nonsense', '99999999999999999999', '-1', '1'];
/** A page that says why, or the way to sign in and back. */
const REFUSED = /^(403 |303 \/auth\/sign_in\?return_to=)/;
const LONG = 'x'.repeat(30_000);

describeTown('Every page of the web client', function (town) {
  this.timeout(120_000);
  let site: WholeSite;
  let browser: Browser;

  before(async () => {
    site = await fillSite(town);
    browser = await signedIn(town.server, 'alice');
    browser.headers['Accept'] = 'text/html';
  });

  const addressOf = (path: string): string => {
    const address = exampleOf(path, site);
    const remedy = `Add an example of ${path} to test/web/page-examples.ts (CONTRIBUTING, Adding a page)`;
    expect(address, remedy).to.be.a('string');
    return address ?? '';
  };
  const pressed = async (address: string): Promise<Answer> => {
    await browser.open('/lists');
    return browser.press(address);
  };
  const tokenOn = ({ body }: Answer): string =>
    load(body as string).one('input', { name: 'csrf_token' })?.attributes['value'] ?? '';

  for (const { path, audience, orPublic } of PAGES) {
    it(`leads strangers to sign in or shows them a public page: ${path}`, async () => {
      const address = addressOf(path);
      const answer = await new Browser(town.server, { Accept: 'text/html' }).open(address);
      if (audience === 'users' && !orPublic) {
        const signIn = `/auth/sign_in?return_to=${encodeURIComponent(address)}`;
        expect([answer.status, locationOf(answer)]).to.deep.equal([303, signIn]);
      } else {
        expect(answer.status).to.be.within(200, 499);
      }
    });
  }

  const seen = async (visitor: Browser, address: string): Promise<unknown> => {
    const answer = await visitor.open(address);
    const page = load(String(answer.body));
    return [answer.status, locationOf(answer), ...page.all('h1, nav').map(({ text }) => text)];
  };

  for (const { path } of PAGES) {
    it(`is the same with a slash at its end: ${path}`, async () => {
      const address = addressOf(path);
      const stranger = new Browser(town.server, { Accept: 'text/html' });
      for (const visitor of [browser, stranger]) {
        expect(await seen(visitor, `${address}/`)).to.deep.equal(await seen(visitor, address));
      }
    });
  }

  for (const { path } of withId) {
    it(`answers 404 for what does not exist: ${path}`, async () => {
      for (const id of BAD_IDS) {
        const address = addressOf(path.replace(/:(id|\w+_id)\b/, id));
        const { status, body } = await (path === BLIND ? pressed(address) : browser.open(address));
        expect([status, load(String(body)).all('h1').length], address).to.deep.equal([404, 1]);
      }
    });
  }

  for (const { path } of withId.filter(({ path: each }) => !PUBLIC_THINGS.includes(each))) {
    it(`answers 404 for what is another user's: ${path}`, async () => {
      const address = (exampleOf(path, site, site.theirs) ?? '').replace(/^\/@\w+\//, '/@carol/');
      expect(address).not.to.equal(addressOf(path));
      const { status } = await (path === BLIND ? pressed(address) : browser.open(address));
      expect(status, address).to.equal(404);
    });
  }

  for (const path of FORMS.map((form) => form.path).filter((each) => each.startsWith(BUTTONS))) {
    if (!/:(id|\w+_id)\b/.test(path)) continue;
    it(`changes nothing for another user's thing, or for what does not exist: ${path}`, async () => {
      const before = await town.events();
      const theirs = exampleOf(path, site, site.theirs) ?? '';
      const others = theirs === addressOf(path) ? [] : [theirs];
      const absent = BAD_IDS.map((id) => addressOf(path.replace(/:(id|\w+_id)\b/, id)));
      for (const address of [...others, ...absent]) {
        const { status, body } = await pressed(address);
        expect(status === 303 || (status >= 400 && status < 500), `${address}: ${status} ${body}`).to.equal(
          true,
        );
      }
      expect(await town.events()).to.equal(before);
    });
  }

  it('refuses each form without the CSRF token and changes nothing', async () => {
    const before = await town.events();
    for (const { path } of FORMS) {
      for (const csrf_token of [undefined, '', 'wrong']) {
        expect(await refusalOf(browser, addressOf(path), csrf_token), path).to.match(REFUSED);
      }
      expect(await refusalOf(new Browser(town.server), addressOf(path)), `${path}, stranger`).to.match(
        REFUSED,
      );
    }
    expect(await town.events()).to.equal(before);
  });

  for (const { path } of FORMS.filter(({ path: each }) => !each.startsWith(BUTTONS))) {
    it(`refuses 30,000 characters in any field and changes nothing: ${path}`, async () => {
      const visitor = path.startsWith('/auth/') ? new Browser(town.server) : browser;
      const page = await visitor.open(addressOf(path));
      const csrf_token = tokenOn(page) || tokenOn(await visitor.open('/auth/sign_in'));
      const fields = fieldsOf(page);
      const before = await town.events();
      const send = async (name: string): Promise<number> => {
        const sent = { ...Object.fromEntries(fields), csrf_token, [name]: LONG };
        return (await visitor.post(addressOf(path), sent)).status;
      };
      for (const name of [...fields.keys(), 'unknown']) {
        expect(await send(name), name).to.be.within(400, 499);
      }
      expect(await town.events()).to.equal(before);
    });
  }

  for (const { path } of FORMS.filter(
    ({ path: each, audience }) => audience === 'users' && !each.startsWith(BUTTONS),
  )) {
    it(`keeps long texts when the session has ended: ${path}`, async () => {
      const page = load((await browser.open(addressOf(path))).body as string);
      const texts = page.all('textarea').map(({ attributes }) => [attributes['name'] ?? '', 'Not lost <&>']);
      const fields = Object.fromEntries(texts) as Record<string, string>;
      const { body } = await new Browser(town.server).post(addressOf(path), { ...fields, csrf_token: 'old' });
      const kept = load(String(body))
        .all('textarea')
        .filter(({ text }) => text.trim() === 'Not lost <&>');
      expect(kept).to.have.length(Object.keys(fields).length);
    });
  }

  // These go last: empty forms delete and clear.
  for (const { path } of FORMS) {
    it(`answers an empty form: ${path}`, async () => {
      const visitor = await signedIn(town.server, 'alice');
      const csrf_token = tokenOn(await visitor.open('/settings/security'));
      expect(csrf_token).not.to.equal('');
      const answer = await visitor.post(addressOf(path), { csrf_token });
      const text = String(answer.body);
      expect(answer.status, text).to.satisfy(
        (status: number) => status === 303 || (status >= 400 && status < 500),
      );
      if (answer.status !== 303) expect(load(text).all('h1'), 'a page').to.have.length(1);
    });
  }
});

async function refusalOf(browser: Browser, address: string, csrf_token?: string): Promise<string> {
  const answer = await browser.post(address, { csrf_token, do: 'delete', confirm: 'true' });
  return `${answer.status} ${locationOf(answer)}`;
}

/**
 * Returns the fields of all forms of a page, with what they hold; without the token, files, the search, buttons and
 * lists of boxes to tick, whose unknown values count as not ticked.
 */
function fieldsOf({ body }: Answer): Map<string, string> {
  const page = load(body as string);
  const fields = ['input', 'textarea', 'select'].flatMap((name) => page.all(name));
  return new Map(
    fields
      .filter(
        ({ attributes: { name = '', type = 'text' } }) =>
          !['', 'csrf_token', 'q'].includes(name) &&
          type !== 'file' &&
          !(type === 'checkbox' && name.endsWith('[]')),
      )
      .map(({ attributes, text }) => [attributes['name'] ?? '', attributes['value'] ?? text]),
  );
}
