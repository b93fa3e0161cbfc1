import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * First port below the ephemeral range. Systems assign ephemeral ports from 32768 on (Linux) or 49152 on, so
 * one of those could be taken before the process under test binds it, or while that process restarts.
 */
const [FIRST, COUNT] = [15_000, 17_000];
/** Ports. The first of a range belongs to the process that draws the others. */
const RANGE = 50;
const RANGES = COUNT / RANGE;

/** Processes begin their search at different ranges, so they seldom ask for the same one. */
let range = process.pid % RANGES;
/** The next port to try; undefined before the first range is taken. */
let next: number | undefined;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Returns a port of loopback that is free now. No process of a run draws it again: each process listens on the
 * first port of its ranges until its end, and draws only from them. The system frees a range when its process ends.
 */
export function freePort(): Promise<number> {
  const drawn = turn.then(draw);
  turn = drawn.catch(() => undefined);
  return drawn;
}

async function draw(): Promise<number> {
  for (;;) {
    if (next === undefined || next % RANGE === 0) next = await takeRange();
    const port = next;
    next += 1;
    const server = await listen(port);
    if (server === undefined) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Takes a range that no process has. @returns its second port */
async function takeRange(): Promise<number> {
  for (let tries = 0; tries < RANGES; tries += 1) {
    range = (range + 1) % RANGES;
    const first = FIRST + range * RANGE;
    const holder = await listen(first);
    if (holder === undefined) continue;
    holder.unref();
    return first + 1;
  }
  throw new Error('Every range of ports is taken');
}

/** Returns undefined when the port is taken. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  } catch {
    return undefined;
  }
}
