import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * First port below the ephemeral range. Systems assign ephemeral ports from 32768 on (Linux) or 49152 on, so
 * one of those could be taken before the process under test binds it, or while that process restarts.
 */
const [FIRST, COUNT] = [15_000, 17_000];
/** Each process starts its search elsewhere, since specs run in several processes. */
let next = (process.pid * 50) % COUNT;

/** Returns a port of loopback that is free now. */
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
