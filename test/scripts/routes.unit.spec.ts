import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { table } from '#cli/table.ts';
import { consolePages } from '#interfaces/web/admin/index.ts';
import { clientPages } from '#interfaces/web/client/index.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
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

  it('names the pages of the settings, the console and the web client, with the file that declares each', async () => {
    const routes = await allRoutes();
    const filesOf = (path: string): string[] =>
      routes
        .filter((each) => each.path === path)
        .map(({ method, auth, file }) => `${method} ${auth} ${file}`);
    expect(filesOf('/admin/domain_allows/new')).to.deep.equal([
      'GET session src/interfaces/web/admin/federation/domain-allows.ts',
      'POST session src/interfaces/web/admin/federation/domain-allows.ts',
    ]);
    expect(filesOf('/admin/relays')).to.deep.equal([
      'GET session src/interfaces/web/admin/federation/relays.ts',
    ]);
    expect(filesOf('/web/v1/lists/:id/accounts')).to.deep.equal([
      'POST session src/interfaces/web/client/lists/index.ts',
    ]);
    expect(filesOf('/auth/sign_in')[0]).to.match(/^GET public src\/interfaces\/web\/settings\/sign-in\.ts$/);
    const pages = [...accountPages, ...consolePages, ...clientPages].map(({ path }) => path);
    expect(pages.filter((path) => filesOf(path).length === 0)).to.deep.equal([]);
    expect(routes.filter(({ file }) => file === '')).to.deep.equal([]);
  });

  it('is printed in columns as wide as their widest cell', () => {
    const rows = [
      ['METHOD', 'PATH'],
      ['GET', '/a'],
    ];
    expect(table(rows)).to.equal('METHOD  PATH\nGET     /a');
  });
});
