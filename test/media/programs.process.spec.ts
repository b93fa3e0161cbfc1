import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

/** Runs a program once, then again with no file descriptors left. Returns both results. */
const SCRIPT = `
  import { openSync } from 'node:fs';
  import { run } from '${new URL('../../src/adapters/media/programs.ts', import.meta.url).href}';
  const start = () => run('true', [], { cwd: '/', seconds: 30 }).then(({ code }) => code, ({ code }) => code);
  const outcomes = [await start()];
  try {
    for (;;) openSync('/dev/null');
  } catch {
    outcomes.push(await start());
  }
  process.stdout.write(JSON.stringify(outcomes), () => process.exit());
`;

describe('Programs that read uploads', function () {
  this.timeout(30_000);

  it('fail when there is no memory to start them, and the server continues', async () => {
    const command = 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command, process.execPath, SCRIPT]);
    expect(JSON.parse(stdout)).to.deep.equal([0, 'EMFILE']);
  });
});
