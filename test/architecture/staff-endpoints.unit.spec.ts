import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { READING } from '../audit/reading.ts';

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

describe('The endpoints of staff', () => {
  const staff = endpoints.filter(({ path }) => /^\/api\/v\d+(_\w+)?\/admin\//.test(path));

  it('each demand a permission of the role', () => {
    expect(staff.length).to.be.greaterThan(100);
    const open = staff.filter(({ auth, permission }) => auth !== 'user' || permission === undefined);
    const remedy = "Declare `auth: 'user'` and a `permission`, as the endpoints beside it do";
    expect(open.map(nameOf), remedy).to.deep.equal([]);
  });

  it('each demand a scope of staff, to read or to write', () => {
    const wrong = staff.filter((each) => {
      const { scopes, method } = each;
      const kind = method === 'GET' || READING.includes(nameOf(each)) ? 'admin:read' : 'admin:write';
      return scopes.length === 0 || scopes.some((scope) => !`${scope}:`.startsWith(`${kind}:`));
    });
    const remedy =
      'Declare `scopes` that begin with admin:read or admin:write; POSTs that read are in test/audit/reading.ts';
    expect(wrong.map(nameOf), remedy).to.deep.equal([]);
  });

  it('alone have such permissions and scopes', () => {
    const others = endpoints
      .filter((each) => !staff.includes(each))
      .filter(({ permission, scopes }) => permission ?? scopes.some((scope) => scope.startsWith('admin:')));
    expect(others.map(nameOf), 'Put it under /api/v1/admin/').to.deep.equal([]);
  });
});
