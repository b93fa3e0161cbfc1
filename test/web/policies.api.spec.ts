import { expect } from 'chai';
import { consolePages } from '#interfaces/web/admin/index.ts';
import { clientPages } from '#interfaces/web/client/index.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
import { signedIn } from '../account-pages/support.ts';
import { Browser } from '../oauth/client.ts';
import { BROWSER } from '../pages/support.ts';
import { describeTown } from '../support/people.ts';

const PATHS = [
  ...[...accountPages, ...consolePages, ...clientPages].map(({ path }) => path),
  ...[
    '/@:name',
    '/@:name/:id',
    '/@:name.rss',
    '/@:name/featured',
    '/users/:name',
    '/tags/:tag',
    '/about/more',
  ],
  ...['/terms', '/web', '/web/home', '/oauth/authorize', '/nothing', '/settings/privacy', '/collections/:id'],
].map((path) => path.replaceAll(':name', 'alice').replaceAll(/:\w+/g, '1'));

describeTown('Every reply in HTML', function (town) {
  this.timeout(120_000);
  let owner: Browser;
  before(async () => {
    await town.staff('alice', 'Owner');
    owner = await signedIn(town.server, 'alice');
  });

  const kinds = { 'a page': {}, 'a part of a page': { 'X-Rookery-Fragment': '1' } };
  for (const [what, headers] of Object.entries(kinds)) {
    for (const signed of [true, false]) {
      it(`has a policy that forbids inline scripts, as ${what} for ${signed ? 'staff' : 'strangers'}`, async () => {
        const visitor = signed ? owner : new Browser(town.server);
        for (const path of new Set(PATHS)) {
          for (const key of Object.keys(visitor.headers)) delete visitor.headers[key];
          Object.assign(visitor.headers, { Accept: BROWSER }, headers);
          const answer = await visitor.open(path);
          const policy = answer.headers.get('content-security-policy');
          if (!/html/.test(answer.headers.get('content-type') ?? '')) continue;
          expect(policy, path).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
          expect(policy, path).not.to.include('unsafe');
        }
      });
    }
  }

  it('has it where the script fetches what is unread', async () => {
    const { headers } = await owner.open('/web/unread');
    expect(headers.get('content-security-policy')).to.include("default-src 'none'");
  });
});
