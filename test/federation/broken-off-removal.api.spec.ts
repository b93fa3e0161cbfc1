import { expect } from 'chai';
import { removeRemoteStatus } from '#commands/federation/index.ts';
import { endingAt } from '../support/broken-off.ts';
import { failureOf } from '../support/failure.ts';
import { describeTown } from '../support/people.ts';
import { startRemoteServer } from './remote-server.ts';

describeTown('The removal of a remote post whose process dies midway', function (town) {
  this.timeout(60_000);

  it('lets the post come again as a new one', async () => {
    const far = await startRemoteServer(town.server, 'far.example');
    const carol = await far.account('carol');
    const { id, uri } = await far.post(carol, 'old');
    const broken = endingAt(town.app.systemContext('spec'), 1);
    expect(await failureOf(removeRemoteStatus(broken, { id, account_id: carol.id, uri }))).equal('killed');
    await town.waitUntilIdle();
    expect((await town.nobody.get(`/api/v1/statuses/${id}`)).status).equal(404);

    const again = await far.post(carol, 'old');
    expect(again.id).match(/^\d+$/).and.not.equal(id);
    expect((await town.nobody.get(`/api/v1/statuses/${again.id}`)).status).equal(200);
    expect((await far.post(carol, 'old')).id, 'a second time').equal(again.id);
    await far.peer.close();
  });
});
