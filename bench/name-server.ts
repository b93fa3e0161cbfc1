import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server on loopback that never answers. */
export interface SilentNameServer {
  /** The module that points a server at it. */
  preload: URL;
  /** The questions so far. */
  asked: () => number;
  close: () => void;
}

export async function startSilentNameServer(): Promise<SilentNameServer> {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', () => (questions += 1)).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const preload = new URL('silent-names.ts', import.meta.url);
  preload.searchParams.set('port', String(socket.address().port));
  return { preload, asked: () => questions, close: () => socket.close() };
}
