import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { migrate } from '#storage/postgres/migrations/index.ts';
import type { Failure } from '#storage/postgres/projector/failures.ts';
import { freshDatabase } from '../support/database.ts';

interface Met {
  states: { name: string; position: string; failure: Failure | null }[];
  left: unknown[];
  strays: string[];
}
const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, 'odd-handlers.ts');

describe('A process whose handlers reject an event in odd ways', function () {
  this.timeout(60_000);
  let met: Met;
  let url: string;
  before(async () => {
    url = await freshDatabase();
    await migrate(url);
    const { stdout } = await run(process.execPath, [PROGRAM, url]);
    met = JSON.parse(stdout) as Met;
  });

  it('lives, and halts each at that event with what it threw', () => {
    const halted = met.states.filter(({ failure }) => failure !== null);
    expect(new Set(halted.map(({ position, failure }) => `${position} ${failure?.position}`))).to.deep.equal(
      new Set(['1 2']),
    );
    expect(Object.fromEntries(halted.map(({ name, failure }) => [name, failure?.error]))).to.deep.equal({
      at_once: 'odd',
      nothing: 'undefined',
      null: 'null',
      an_object_without_text: '[Object: null prototype] {}',
      a_nul_byte: 'odd  \ufffd',
      beside_one_that_rejects: 'second',
      beside_one_that_rejects_later: 'second',
      beside_a_statement: 'second',
      a_message_of_an_outage: 'Connection terminated',
    });
  });

  it('lets the others go on, and reports whose promises were left behind', () => {
    const moved = met.states.filter(({ failure }) => failure === null);
    expect(moved.map(({ name, position }) => `${name} ${position}`)).to.deep.equal([
      'leaves_a_rejection 3',
      'leaves_a_statement 3',
    ]);
    expect(met.strays).to.include.members([
      'projection beside_one_that_rejects',
      'projection beside_one_that_rejects_later',
      'projection leaves_a_rejection',
      'projection leaves_a_statement',
    ]);
  });

  it('runs no statement of a handler that has ended', () => {
    expect(met.left).to.deep.equal([]);
  });

  it('still ends when a promise is left behind outside of a handler', async () => {
    const again = await freshDatabase();
    await migrate(again);
    const ended: unknown = await run(process.execPath, [PROGRAM, again, 'unowned']).catch(
      (error: unknown) => error,
    );
    expect(ended).to.include({ code: 1 });
    expect((ended as { stderr: string }).stderr).to.include('of nobody');
  });
});
