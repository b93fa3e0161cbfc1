import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { table } from '#cli/table.ts';
import { allRoutes, endpointRoutes } from '../../scripts/lib/routes.ts';

describe('The list of routes', () => {
  it('names every endpoint with the file that declares it', async () => {
    const routes = await endpointRoutes();
    expect(routes).to.have.length(endpoints.length);
    const elsewhere = routes.filter(
      ({ file }) => !/^(commands|queries)\/.+\.ts$/.test(file) || file.endsWith('/index.ts'),
    );
    expect(elsewhere).to.deep.equal([]);
    const create = routes.find(({ method, path }) => `${method} ${path}` === 'POST /api/v2/filters');
    expect(create).to.deep.equal({
      method: 'POST',
      path: '/api/v2/filters',
      auth: 'user',
      scopes: ['write:filters'],
      reads: ['main'],
      defers: [],
      file: 'commands/filters/create.ts',
    });
  });

  it('contains the routes of OAuth, streaming and pages, and no route twice', async () => {
    const names = (await allRoutes()).map(({ method, path }) => `${method} ${path}`);
    expect(names).to.include.members(['POST /oauth/token', 'GET /api/v1/streaming', 'POST /settings/delete']);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  });

  it('is printed in columns as wide as their widest cell', () => {
    const rows = [
      ['METHOD', 'PATH'],
      ['GET', '/a'],
    ];
    expect(table(rows)).to.equal('METHOD  PATH\nGET     /a');
  });
});
