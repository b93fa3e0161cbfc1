import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { freePort } from './free-port.ts';

/** More ports than one range has. */
const PORTS = 60;
const PROCESSES = 3;

/** Draws ports in a process of its own, which keeps its ranges until it is ended. All begin their search at the same place. */
const DRAWS = `
  Object.defineProperty(process, 'pid', { value: 1 });
  const { freePort } = await import(${JSON.stringify(new URL('free-port.ts', import.meta.url).href)});
  const ports = [];
  for (let n = 0; n < ${PORTS}; n += 1) ports.push(await freePort());
  process.send(ports);
  process.on('disconnect', () => process.exit());
`;

const drawHere = (): Promise<number[]> => Promise.all(Array.from({ length: PORTS }, () => freePort()));

describe('A free port for a spec', () => {
  it('is drawn by one process alone, also when several draw at the same time', async () => {
    const drawers = Array.from({ length: PROCESSES }, () =>
      spawn(process.execPath, ['--input-type=module', '--eval', DRAWS], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      }),
    );
    try {
      const drawn = await Promise.all(
        drawers.map(async (drawer) => ((await once(drawer, 'message')) as [number[]])[0]),
      );
      const ports = [...drawn.flat(), ...(await drawHere())];
      expect(ports).to.have.lengthOf((PROCESSES + 1) * PORTS);
      expect(new Set(ports).size).to.equal(ports.length);
    } finally {
      for (const drawer of drawers) drawer.kill();
    }
  });

  it('can be listened on', async () => {
    const server = createServer().listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });

  it('differs for callers that ask at the same time', async () => {
    const ports = await drawHere();
    expect(new Set(ports).size).to.equal(PORTS);
  });
});
