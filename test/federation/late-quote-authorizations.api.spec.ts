import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { deliver, PUBLIC } from '../support/inbox.ts';
import { ALICE, inboxScene } from './inbox-scene.ts';

describe('The authorization of a quote', function () {
  this.timeout(60_000);
  const scene = inboxScene();
  after(() => scene.close());

  it('is fetched again later when it was missing at first', async function () {
    this.timeout(120_000);
    const { server, peer, evil: far } = await scene.start();
    const author = peer.actor('author');
    const carol = far.actor('carol');
    await scene.accountOf(author);
    const quoted = far.note('carol', 'quotable');
    expect((await scene.resolve(quoted))?.status).not.equal(undefined);
    const uri = `${peer.origin}/notes/quoting`;
    const stamp = `${far.origin}/stamps/late`;
    const object = {
      id: uri,
      type: 'Note',
      attributedTo: author,
      content: '<p>See</p>',
      to: [PUBLIC],
      cc: [ALICE],
      published: '2026-11-20T08:00:00Z',
      quote: quoted,
      quoteAuthorization: stamp,
      tag: [{ type: 'Mention', href: ALICE, name: '@alice' }],
    };
    await deliver(server, scene.by('author'), scene.sent('author', 'Create', object));
    const { db } = server.app;
    const state = async (): Promise<string | undefined> =>
      (await db.query<{ quote_state: string }>('select quote_state from statuses where uri = $1', [uri]))[0]
        ?.quote_state;
    expect(await state()).equal('pending');
    far.put('/stamps/late', {
      id: stamp,
      type: 'QuoteAuthorization',
      attributedTo: carol,
      interactingObject: uri,
      interactionTarget: quoted,
    });
    const due = await db.query(
      `update jobs.job set start_after = now() where name = 'quote-authorization' and state = 'created' returning id`,
    );
    expect(due).to.have.length(1);
    await eventually(async () => expect(await state()).equal('accepted'));
  });
});
