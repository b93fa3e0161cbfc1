import { expect } from 'chai';
import { registerApp } from '../oauth/client.ts';
import { rookeryBeside } from '../support/command-line.ts';
import { describeTown } from '../support/people.ts';

describeTown('A token that the command line makes', function (town) {
  this.timeout(60_000);

  const create = (...args: string[]) => rookeryBeside(town.app, 'tokens', 'create', 'alice', ...args);

  it('may belong to an app that has had no token yet', async () => {
    await town.person('alice');
    const { client_id } = await registerApp(town.server, { client_name: 'Fresh app', scopes: 'read write' });
    const { code, stdout, stderr } = await create('--scopes', 'read', '--client-id', client_id);
    expect(code, stderr).to.equal(0);
    const client = town.withToken(stdout.trim().split('\n').at(-1) ?? '');
    expect((await client.get('/api/v1/accounts/verify_credentials')).status).to.equal(200);
    expect((await client.get<{ name: string }>('/api/v1/apps/verify_credentials')).json.name).to.equal(
      'Fresh app',
    );
    const again = await create('--scopes', 'write', '--client-id', client_id);
    expect(again.code, again.stderr).to.equal(0);
  });

  it('is refused for scopes that the app has not registered, and for an unknown app', async () => {
    const { client_id } = await registerApp(town.server, { scopes: 'read' });
    const wider = await create('--scopes', 'write', '--client-id', client_id);
    expect([wider.code, wider.stderr]).to.deep.equal([64, 'The application has not registered for: write\n']);
    for (const id of ['99', 'nonsense', '9'.repeat(30)]) {
      const { code, stderr } = await create('--scopes', 'read', '--client-id', id);
      expect([code, stderr]).to.deep.equal([1, `There is no application with the client id ${id}\n`]);
    }
  });
});
