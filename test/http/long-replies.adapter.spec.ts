import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { sendReply } from '#interfaces/http/reply.ts';

const LENGTH = 60_000;
const LONG = 'long';
const bodyOf = (name: string): string => name.padEnd(name === LONG ? 40_000_000 : LENGTH, name.slice(-1));

const bodiesIn = (received: string): string[] =>
  received.split(/HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\n/).slice(1);
/** Summarises a body for a readable failure: each letter once, however often it repeats, and the length. */
const whatIsIn = (body: string): string => `${body.replaceAll(/(.)\1+/g, '$1')}, ${body.length}`;

describe('A long reply', () => {
  let server: Server;
  let port: number;

  before(async () => {
    server = createServer((req, res) => {
      const body = bodyOf((req.url ?? '').slice(1));
      const pieces = [body.slice(0, 1), Buffer.from(body.slice(1))];
      sendReply(req, res, { text: pieces }, {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const get = async (name: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}/${name}`)).text();

  const namesOf = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, n) => `${n}${letter}`);

  /**
   * Opens a client that reads nothing at first. Its first reply exceeds the buffers of the system, so later
   * replies wait in the server. Its last request asks to close the connection. Closing its own side would
   * discard the waiting replies.
   */
  const slowClient = async (names: readonly string[]): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    const requests = [LONG, ...names].map((name) => `GET /${name} HTTP/1.1\r\nHost: example.test\r\n`);
    socket.write(`${requests.join('\r\n')}Connection: close\r\n\r\n`);
    await expectQuick('1q');
    return socket;
  };
  const expectQuick = async (letters: string): Promise<void> => {
    const names = namesOf(letters, 100);
    const bodies = await Promise.all(names.map(get));
    expect(names.filter((name, index) => bodies[index] !== bodyOf(name))).to.deep.equal([]);
  };

  it('reaches a slow client whole while other replies are written', async () => {
    const names = namesOf('s', 20);
    const slow = await slowClient(names);
    await expectQuick('2q');
    const [, ...received] = bodiesIn(await text(slow));
    expect(received.map(whatIsIn)).to.deep.equal(names.map(bodyOf).map(whatIsIn));
  });

  it('leaves other replies whole when its client disconnects', async () => {
    const gone = await slowClient(namesOf('g', 20));
    gone.destroy();
    await expectQuick('3q');
  });

  it('has its length and no body when the request is HEAD', async () => {
    const res = await fetch(`http://127.0.0.1:${port}/1h`, { method: 'HEAD' });
    expect(res.headers.get('content-length')).to.equal(String(LENGTH));
    expect(await res.text()).to.equal('');
    expect(await get('2h')).to.equal(bodyOf('2h'));
  });
});
