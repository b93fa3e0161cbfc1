import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Where nobody gets a port by chance: systems take those of outgoing connections, and of who asks for any, from 32768 on (Linux)
 * or 49152 on. One of those could be taken between here and the process that it is for, or while that restarts.
 */
const [FIRST, COUNT] = [15_000, 17_000];
/** Each process begins elsewhere, since specs run in several. */
let next = (process.pid * 50) % COUNT;

/** A port of loopback that nobody uses now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
