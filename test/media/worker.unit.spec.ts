import { expect } from 'chai';
import { inTurn } from '#adapters/media/in-turn.ts';
import { inWorker } from '#adapters/media/worker/worker.ts';
import { movingGif } from '../support/pictures.ts';

const IN_ROOT = { cwd: '/', seconds: 30 };

/** Runs a shell command in the worker process and returns its output. */
async function shell(line: string): Promise<string> {
  const ended = await inWorker('run', ['sh', ['-c', line], IN_ROOT]);
  return ended.code === 'timeout' ? 'timeout' : ended.output.trim();
}

describe('The media worker process', function () {
  this.timeout(30_000);

  it('works on pictures with a low priority, and runs programs with the lowest', async () => {
    expect(await shell('ps -o ni= -p $PPID')).to.equal('10');
    expect(await shell('nice')).to.equal('19');
  });

  it('has no environment of the server', async () => {
    process.env.ROOKERY_TEST_SECRET = 'secret';
    const environment = await shell('tr "\\0" "\\n" < /proc/$PPID/environ');
    delete process.env.ROOKERY_TEST_SECRET;
    expect(environment).to.include('LC_ALL=C').and.not.include('secret');
  });

  it('ends a program whose caller has gone', async () => {
    const controller = new AbortController();
    const running = inWorker('run', ['sleep', ['1234'], IN_ROOT], controller.signal);
    await shell('while ! pgrep -f "^sleep 1234$"; do sleep 0.05; done');
    controller.abort(new Error('The client has gone'));
    const message = await running.then(String, (error: Error) => error.message);
    expect(message).to.equal('The client has gone');
    expect(await shell('pgrep -f "^sleep 1234$"')).to.equal('');
  });

  it('keeps the codes of system errors', async () => {
    const code = await inWorker('run', ['true', [], { cwd: '/nowhere', seconds: 30 }]).then(
      () => 'none',
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(code).to.equal('ENOENT');
  });

  it('returns buffers, and one object for one object', async () => {
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const { original, static: still } = await inTurn('processProfileImage', [pixel, 'avatar']);
    expect(still).to.equal(original);
    expect(original.data).to.be.instanceOf(Buffer);
  });

  it('blames the file for a crash, and restarts for the next one', async () => {
    const large = await movingGif({ width: 400, height: 400 }, 37);
    const rendering = inTurn('processProfileImage', [large, 'avatar']).then(
      () => 'none',
      (error: { code: string }) => error.code,
    );
    await shell('kill -9 $PPID').catch(() => undefined);
    expect(await rendering).to.equal('invalid');
    expect(await shell('echo again')).to.equal('again');
  });
});
