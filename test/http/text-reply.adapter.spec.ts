import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { sendText } from '#interfaces/http/text-reply.ts';
import { eventually } from '../support/eventually.ts';

const PIECE = 'x'.repeat(16_384);

describe('A long reply', () => {
  let server: Server;
  let made: number;
  let ended: boolean;
  let failures: unknown[];
  let source: () => AsyncGenerator<string>;

  beforeEach(async () => {
    [made, ended, failures] = [0, false, []];
    server = createServer((_, res) => {
      sendText(res, source(), { 'Content-Type': 'text/csv' }).catch((error: unknown) => {
        failures.push(error);
        if (res.headersSent) res.destroy();
        else res.writeHead(500).end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const port = (): number => (server.address() as AddressInfo).port;
  const url = (): string => `http://127.0.0.1:${port()}/`;
  const pieces = (most: number, failAt = Infinity) =>
    async function* (): AsyncGenerator<string> {
      try {
        for (; made < most; made += 1) {
          await Promise.resolve();
          if (made === failAt) throw new Error('The database is gone');
          yield PIECE;
        }
      } finally {
        ended = true;
      }
    };

  it('has every piece, and the type that its handler names', async () => {
    source = pieces(100);
    const answer = await fetch(url());
    expect(answer.headers.get('content-type')).to.equal('text/csv');
    expect(await answer.text()).to.equal(PIECE.repeat(100));
  });

  it('is empty without pieces, and for HEAD', async () => {
    source = pieces(0);
    expect(await (await fetch(url())).text()).to.equal('');
    source = pieces(100);
    const answer = await fetch(url(), { method: 'HEAD' });
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.equal('');
    await eventually(() => void expect(ended).to.equal(true));
    expect(made).to.be.at.most(1);
  });

  it('is made at the speed of the client, and no longer than the client is there', async () => {
    source = pieces(1_000_000);
    const client = connect(port(), '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await once(client, 'readable');
    client.pause();
    let before = -1;
    await eventually(() => {
      const now = made;
      const stands = now === before;
      before = now;
      expect(stands, `${now} pieces`).to.equal(true);
    });
    // 16 GB would be the whole.
    expect(made).to.be.below(10_000);
    client.destroy();
    await eventually(() => void expect(ended).to.equal(true));
    expect(failures).to.deep.equal([]);
  });

  it('is an error reply when the first piece fails, and is cut when a later one does', async () => {
    source = pieces(100, 0);
    expect((await fetch(url())).status).to.equal(500);
    made = 0;
    source = pieces(100, 50);
    const answer = await fetch(url());
    expect(answer.status).to.equal(200);
    const outcome = await answer.text().then(
      () => 'whole',
      () => 'cut',
    );
    expect(outcome).to.equal('cut');
  });
});
