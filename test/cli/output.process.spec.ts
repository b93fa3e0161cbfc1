import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { program } from '#cli/program.ts';
import { inTurn } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';

/** Every verb, as a line of words. */
const verbs = (command = program(), words: string[] = []): { line: string; options: string[] }[] =>
  command.commands.length === 0
    ? [{ line: words.join(' '), options: command.options.map(({ long }) => long ?? '') }]
    : command.commands.flatMap((each) => verbs(each, [...words, each.name()]));

describe('The output of the command line', function () {
  this.timeout(90_000);
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rookery-output-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));
  const rookery = (...args: string[]) => inTurn(args, { DATA_DIR: dataDir });
  const lines = (text: string): unknown[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

  it('has --json and --quiet on every verb', () => {
    for (const { line, options } of verbs()) expect(options, line).to.include.members(['--json', '--quiet']);
    expect(verbs().length).to.be.greaterThan(100);
  });

  it('is a JSON object for each result, row and confirmation with --json', async () => {
    const created = await rookery(
      'accounts',
      'create',
      'ada',
      '--email',
      'ada@example.org',
      '--confirmed',
      '--json',
    );
    expect(lines(created.stdout)[0]).to.have.keys('id', 'password');
    await rookery('rules', 'add', 'Be kind', '--hint', 'To all');
    const rules = await rookery('rules', 'list', '--json');
    expect(lines(rules.stdout)).to.deep.equal([{ id: '1', text: 'Be kind', hint: 'To all', languages: [] }]);
    const models = await rookery('projections', 'list', '--json');
    expect(lines(models.stdout)[0]).to.include.keys('name', 'version', 'position', 'lag', 'state');
    const blocked = await rookery('domains', 'block', 'bad.example', '--json');
    expect(lines(blocked.stdout)).to.deep.equal([
      { message: 'Blocked 1, skipped 0, failed 0', done: 1, skipped: 0, failed: 0 },
    ]);
  });

  it('is silent about what was done with --quiet, and prints only what was asked for', async () => {
    expect(await rookery('rules', 'remove', '1', '--quiet')).to.deep.equal({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const verified = await rookery('projections', 'verify', '--quiet');
    expect(verified).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    expect((await rookery('domains', 'blocks', '--quiet')).stdout).to.equal('bad.example\tsilence\t-\t-\n');
  });

  it('reports an error as JSON with --json', async () => {
    const { code, stderr } = await rookery('accounts', 'modify', 'nobody', '--confirm', '--json');
    expect([code, JSON.parse(stderr)]).to.deep.equal([
      1,
      { error: 'There is no local account @nobody', code: 1 },
    ]);
  });

  it('exits with 64 for wrong arguments and settings, and with 3 without a database', async () => {
    expect(await rookery('accounts', 'modify')).to.include({ code: 64 });
    expect(await rookery('no-such-verb')).to.include({ code: 64 });
    expect(await inTurn(['rules', 'list'], { DATA_DIR: dataDir, PORT: 'x' })).to.include({ code: 64 });
    const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
    const away = await inTurn(['rules', 'list'], { DATA_DIR: dataDir, DATABASE_URL: url });
    expect(away, away.stderr).to.include({ code: 3 });
  });
});
