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

  it('leaves other forms of a path to Express', () => {
    const routes = new Routes([named('GET', '/accounts/:id'), named('GET', '/accounts')]);
    for (const path of ['/accounts/', '/accounts/1/', '/accounts//', '/Accounts', '/accounts/%31', '/', ''])
      expect(routes.find('GET', path), path).to.equal(undefined);
    expect(routes.find('POST', '/accounts')).to.equal(undefined);
  });
});
