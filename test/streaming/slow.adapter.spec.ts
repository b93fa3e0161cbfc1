import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import type { Channel } from '#interfaces/streaming/channels.ts';
import { Client, type Wire } from '#interfaces/streaming/client.ts';
import { EventSourceWire } from '#interfaces/streaming/event-source.ts';
import type { Feed, Listener } from '#interfaces/streaming/feed.ts';
import { acceptWebSocket, WebSocketWire } from '#interfaces/streaming/websocket.ts';
import type { UserContext } from '#kernel/context.ts';

/** The maximum number of bytes that both sockets buffer before the process has to wait. */
const SOCKETS = 32_000_000;
const PAYLOAD = 'x'.repeat(100_000);

describe('A client that does not read', () => {
  let server: Server;
  let port: number;
  let connected: PromiseWithResolvers<Wire>;

  before(async () => {
    server = createServer((_req, res) => {
      const wire = new EventSourceWire(res);
      wire.begin();
      connected.resolve(wire);
    });
    server.on('upgrade', (req, socket, head) => {
      socket.on('error', () => undefined);
      void acceptWebSocket(req, socket, head, (ws) => connected.resolve(new WebSocketWire(ws)));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => (connected = Promise.withResolvers()));
  after(() => server.close());

  /** Sends to the client until it is disconnected. @returns the bytes sent */
  const overwhelm = async (): Promise<number> => {
    const listeners: Listener[] = [];
    const client = new Client({
      credential: { sessionId: 'secret' },
      wire: await connected.promise,
      onSent: () => undefined,
      reserveChannel: () => () => undefined,
      ctx: { viewer: { account_id: '1', role: null }, token: { id: '1' } } as unknown as UserContext,
      feed: {
        add: (listener: Listener) => Promise.resolve(void listeners.push(listener)),
        remove: () => undefined,
      } as unknown as Feed,
    });
    await client.listen({ name: 'user', label: ['user'] } as unknown as Channel, { after: 0n });
    let sent = 0;
    while (!client.signal.aborted && sent < 2 * SOCKETS) {
      listeners[0]?.send({ event: 'update', payload: PAYLOAD, place: { after: 1n } });
      sent += PAYLOAD.length;
      await new Promise(setImmediate);
    }
    return sent;
  };

  it('is dropped from a WebSocket, with a bounded amount in memory', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    await once(socket, 'open');
    socket.pause();
    expect(await overwhelm()).to.be.lessThan(SOCKETS);
    socket.resume();
    await once(socket, 'close');
  });

  it('is dropped from server-sent events, with a bounded amount in memory', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await overwhelm()).to.be.lessThan(SOCKETS);
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
  });

  it('is dropped when it does not answer heartbeats', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { autoPong: false });
    await once(socket, 'open');
    const wire = await connected.promise;
    expect(wire.beat()).to.equal(true);
    expect(wire.beat()).to.equal(false);
    socket.terminate();
  });
});
