import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { Routes } from '#interfaces/http/routes.ts';
import type { Endpoint } from '#kernel/endpoint.ts';

const named = (method: Endpoint['method'], path: string): Endpoint => ({ method, path }) as Endpoint;

describe('Finding an endpoint by its path', () => {
  it('finds every endpoint of the API', () => {
    const routes = new Routes(endpoints);
    for (const endpoint of endpoints) {
      const path = endpoint.path.replace(/:\w+/g, '7');
      const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
      const params = Object.fromEntries(names.map((name) => [name, '7']));
      expect(routes.find(endpoint.method, path), path).to.deep.equal({ endpoint, params });
    }
  });

  it('prefers literal segments to parameters, and distinguishes parameters', () => {
    const lookup = named('GET', '/accounts/lookup');
    const show = named('GET', '/accounts/:id');
    const item = named('GET', '/accounts/:account_id/items/:id');
    const routes = new Routes([show, lookup, item]);
    expect(routes.find('GET', '/accounts/lookup')).to.deep.equal({ endpoint: lookup, params: {} });
    expect(routes.find('HEAD', '/accounts/1')).to.deep.equal({ endpoint: show, params: { id: '1' } });
    const params = { account_id: '1', id: '2' };
    expect(routes.find('GET', '/accounts/1/items/2')).to.deep.equal({ endpoint: item, params });
  });

  it('finds a path in any letter case, with a slash at its end, and with escapes', () => {
    const show = named('GET', '/accounts/:id');
    const routes = new Routes([show, named('GET', '/accounts')]);
    expect(routes.find('GET', '/Accounts/')?.endpoint.path).to.equal('/accounts');
    expect(routes.find('GET', '/ACCOUNTS/aB/')).to.deep.equal({ endpoint: show, params: { id: 'aB' } });
    expect(routes.find('GET', '/accounts/a%2Fb%20%C3%A9')?.params).to.deep.equal({ id: 'a/b é' });
    const long = 'x'.repeat(10_000);
    expect(routes.find('GET', `/accounts/${long}`)?.params).to.deep.equal({ id: long });
  });

  it('finds nothing for another method, a malformed escape and an unknown path', () => {
    const routes = new Routes([named('GET', '/accounts/:id'), named('GET', '/accounts')]);
    expect(routes.find('POST', '/accounts')).to.equal(undefined);
    for (const path of ['/accounts/%E0%A4%A', '/accounts/%', '/accounts/1/2', '/', '', '*'])
      expect(routes.find('GET', path), path).to.equal(undefined);
  });

  it('knows the paths of all methods', () => {
    const routes = new Routes([named('DELETE', '/accounts/:id')]);
    expect(routes.has('/accounts/1')).to.equal(true);
    expect(routes.has('/accounts')).to.equal(false);
  });

  it('takes the first of two endpoints with one path', () => {
    const first = named('GET', '/accounts/:id');
    const routes = new Routes([first, named('GET', '/accounts/:id')]);
    expect(routes.find('GET', '/accounts/1')?.endpoint).to.equal(first);
  });
});
