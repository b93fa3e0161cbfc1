import { expect } from 'chai';
import { readApps } from '#commands/instance/apps.ts';
import type { ClientApp } from '#events/client-apps.ts';
import { appList } from '#interfaces/web/public/app-list.ts';
import { appsOf, listedApps } from '#queries/instance/index.ts';

const SITE = { domain: 'rookery.example', origin: 'https://social.rookery.example' };
const PLAIN = { domain: 'localhost:3000', origin: 'http://localhost:3000' };

const app = (changes: Partial<ClientApp> = {}): ClientApp => ({
  name: 'Elk',
  platform: 'web',
  description: 'A web client',
  website: 'https://elk.zone/',
  ...changes,
});

describe('The apps that pages recommend', () => {
  it('come with each version in a form that operators may set', () => {
    const apps = listedApps({ apps: null });
    expect(readApps(JSON.stringify(apps))).to.deep.equal(apps);
    expect(new Set(apps.map(({ platform }) => platform))).to.have.property('size', 5);
  });

  it('open the two large web clients with the host of the API', () => {
    const { apps, reachable } = appsOf({ apps: null }, SITE);
    expect(reachable).to.equal(true);
    const hrefOf = (name: string) => apps.find((each) => each.name === name)?.href;
    expect(hrefOf('Elk')).to.equal('https://elk.zone/social.rookery.example');
    expect(hrefOf('Phanpy')).to.equal('https://phanpy.social/#/login?instance=social.rookery.example');
  });

  it('fill in every placeholder, wherever it is', () => {
    const address = '{origin}/{host}/{domain}?a={host}&b={origin}';
    expect(appsOf({ apps: [app({ address })] }, SITE).apps[0]?.href).to.equal(
      'https://social.rookery.example/social.rookery.example/rookery.example?a=social.rookery.example&b=https://social.rookery.example',
    );
  });

  it('are linked by their websites while the server has no https', () => {
    const { apps, reachable, origin } = appsOf(
      { apps: [app({ address: 'https://elk.zone/{host}' })] },
      PLAIN,
    );
    expect({ reachable, origin }).to.deep.equal({ reachable: false, origin: PLAIN.origin });
    expect(apps[0]?.href).to.equal('https://elk.zone/');
  });
});

describe('The list of apps on a page', () => {
  const shown = (apps: readonly ClientApp[], site = SITE, level = 3): string => {
    const list = appList(appsOf({ apps: [...apps] }, site), { level });
    return list === false ? '' : list.text.replace(/\s+/g, ' ');
  };

  it('groups apps by the place of use, and leaves out empty groups', () => {
    const text = shown([
      app({ name: 'toot', platform: 'terminal' }),
      app({ name: 'Pachli', platform: 'android' }),
      app({ name: 'Ivory', platform: 'ios' }),
    ]);
    expect(
      [...text.matchAll(/<h3>(.*?)<\/h3>|<bdi>(.*?)<\/bdi>/g)].map(([, head, name]) => head ?? name),
    ).to.deep.equal(['On the phone', 'Ivory', 'Pachli', 'On the desktop', 'toot']);
    expect(text).to.match(/Pachli<\/bdi><\/a> <span class="app-platform">Android</);
  });

  it('escapes texts, and links nothing but web addresses', () => {
    const text = shown([app({ name: '<b>', description: '"&', website: 'javascript:alert(1)' })]);
    expect(text).to.include('&#60;b&#62;').and.include('&#34;&#38;').and.not.include('href');
  });

  it('says in one sentence that no app can connect without https', () => {
    expect(shown([app()], PLAIN)).to.match(/Apps cannot connect yet: .*http:\/\/localhost:3000/);
    expect(shown([app()])).not.to.include('cannot connect');
  });

  it('is absent without apps, and has headings of the wanted level', () => {
    expect(appList(appsOf({ apps: [] }, SITE))).to.equal(false);
    expect(shown([app()], SITE, 2)).to.include('<h2>In the browser</h2>');
  });
});
