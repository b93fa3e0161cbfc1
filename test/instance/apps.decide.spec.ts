import { expect } from 'chai';
import { readApps } from '#commands/instance/apps.ts';
import { instance } from '#commands/instance/instance.ts';
import { decideSettings } from '#commands/instance/settings.ts';
import type { ClientApp } from '#events/client-apps.ts';
import type { InstanceSettings } from '#events/instance.ts';
import { given } from '../support/given.ts';
import { refusal } from '../support/refusal.ts';

const elk: ClientApp = {
  name: 'Elk',
  platform: 'web',
  description: 'A web client',
  website: 'https://elk.zone/',
  address: 'https://elk.zone/{host}',
};
const tusky: ClientApp = {
  name: 'Tusky',
  platform: 'android',
  description: 'Light',
  website: 'https://tusky.app/',
};

const read = (apps: unknown): ClientApp[] => readApps(JSON.stringify({ apps }));
const refused = (text: string): string | undefined => {
  const [code, message] = refusal(() => readApps(text)) ?? [];
  expect(code, text.slice(0, 100)).to.equal('invalid');
  expect(message).not.to.contain('\n');
  return message;
};

describe('The list of apps of a server', () => {
  it('is read from an object or a bare list, with trimmed texts', () => {
    expect(read([elk, tusky])).to.deep.equal([elk, tusky]);
    expect(readApps(`\uFEFF${JSON.stringify([{ ...tusky, name: ' Tusky\n' }])}`)).to.deep.equal([tusky]);
    expect(read([])).to.deep.equal([]);
  });

  it('holds at most fifty apps', () => {
    const apps = (count: number) => Array.from({ length: count }, (_, n) => ({ ...tusky, name: `App ${n}` }));
    expect(read(apps(50))).to.have.length(50);
    expect(refused(JSON.stringify(apps(51)))).to.match(/^apps must have at most 50 apps/);
  });

  it('accepts web clients on the domain of the server', () => {
    for (const address of [
      '{origin}/phanpy/',
      'https://{domain}/elk',
      'https://phanpy.{domain}/#?a={host}',
    ]) {
      expect(read([{ ...elk, address }])).to.deep.equal([{ ...elk, address }]);
    }
  });

  it('is refused with the app, the member and the expectation', () => {
    const wrong: [object, RegExp][] = [
      [{ ...elk, name: '' }, /^apps: app 2 \(\): name must be one line of 1 to 60 characters$/],
      [{ ...elk, name: 'x'.repeat(61) }, /name must be one line of 1 to 60/],
      [{ ...elk, name: 'a\u0000b' }, /name must be one line/],
      [{ ...elk, name: 'a\ud800b' }, /name must be one line/],
      [{ ...elk, description: 'a\nb' }, /^apps: app 2 \(Elk\): description must be one line of 1 to 200/],
      [{ ...elk, description: undefined }, /description must be one line/],
      [{ ...elk, platform: 'phone' }, /platform must be one of web, ios, android, desktop, terminal$/],
      [{ ...elk, website: 'http://elk.zone/' }, /website must be an address that begins with https/],
      [{ ...elk, website: 'javascript:alert(1)' }, /website must be an address/],
      [{ ...elk, website: 'https://a:b@elk.zone/' }, /website must be an address/],
      [{ ...elk, website: 'https://' }, /website must be an address/],
      [{ ...elk, website: 7 }, /website must be one line/],
      [{ ...elk, address: 'http://elk.zone/{host}' }, /address must begin with https:\/\/ or \{origin\}$/],
      [{ ...elk, address: 'elk.zone/{host}' }, /address must begin with/],
      [{ ...elk, address: 'https://elk.zone/{server}' }, /\{host\}, \{domain\} and \{origin\}, and no other/],
      [{ ...elk, address: `https://elk.zone/${'x'.repeat(500)}` }, /address must be one line of 1 to 500/],
      [{ ...tusky, address: 'https://tusky.app/' }, /address is for the platform web only; leave it out$/],
      [{ ...elk, icon: 'x' }, /^apps: app 2 \(Elk\): there is no "icon"; remove it\. .*--json/],
      [{ ...tusky }, /^apps: Tusky is listed twice for android; remove one$/],
    ];
    for (const [app, message] of wrong) expect(refused(JSON.stringify([tusky, app]))).to.match(message);
    expect(refused('[null]')).to.match(/^apps: app 1: must be an object\./);
  });

  it('is refused when the file is no list', () => {
    expect(refused('nonsense\nin lines')).to.match(/^apps must be JSON: .*--json" prints a list/);
    expect(refused('')).to.match(/^apps must be JSON/);
    for (const text of ['{}', '7', 'null', '{"apps":{}}'])
      expect(refused(text)).to.match(/^apps must be a list/);
    expect(refused('{"apps":[],"app":1}')).to.equal('apps: there is no "app"; the file has "apps" only');
  });

  it('is stored only where it differs, and null again after a reset', () => {
    const decide = (state: { settings: InstanceSettings }, changes: Partial<InstanceSettings>) =>
      decideSettings(state.settings, changes);
    const set = given(instance)
      .when(decide, { apps: [elk] })
      .decided();
    expect(set).to.deep.equal([{ type: 'InstanceSettingsChanged', data: { apps: [elk] } }]);
    given(instance, ...set)
      .when(decide, { apps: [{ ...elk }] })
      .then([]);
    given(instance, ...set)
      .when(decide, { apps: null })
      .then([{ type: 'InstanceSettingsChanged', data: { apps: null } }]);
    given(instance).when(decide, { apps: null }).then([]);
  });
});
