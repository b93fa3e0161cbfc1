import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = ['.githooks', 'package.json', 'eslint.config.js', 'scripts/lint', 'tsconfig.json'];

describe('The hooks of Git', function () {
  this.timeout(60_000);
  let clone: string;
  beforeEach(async () => {
    clone = await mkdtemp(join(tmpdir(), 'rookery-hook-'));
    for (const path of COPIED) await cp(join(ROOT, path), join(clone, path), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    await git('init', '--quiet');
    await git('config', 'core.hooksPath', '.githooks');
  });
  afterEach(() => rm(clone, { recursive: true, force: true }));

  /** Git without the settings and the repository of the developer who runs the specs. */
  const git = (...args: string[]): Promise<{ code: number; stderr: string }> => {
    const env = { PATH: process.env['PATH'], HOME: clone, GIT_CONFIG_NOSYSTEM: '1' };
    const author = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org'];
    return new Promise((done) =>
      execFile('git', [...author, ...args], { cwd: clone, env }, (error, _stdout, stderr) =>
        done({ code: error ? 1 : 0, stderr }),
      ),
    );
  };
  const commit = async (
    name: string,
    text: string,
    message = 'tests: add a file',
  ): Promise<{ code: number; stderr: string }> => {
    await writeFile(join(clone, name), text);
    await git('add', name);
    return git('commit', '--quiet', '--message', message);
  };

  it('accept files that are formatted and keep the rules', async () => {
    expect(await commit('a file.js', "export const a = 'b';\n")).to.deep.equal({ code: 0, stderr: '' });
  });

  it('refuse a file that is not formatted', async () => {
    const { code, stderr } = await commit('a file.json', '{"a":    1}');
    expect(code).to.equal(1);
    expect(stderr).to.contain('a file.json').and.to.contain('npm run lint:fix');
  });

  it('refuse a file that breaks a rule', async () => {
    const { code, stderr } = await commit('a.js', 'const unused = 1;\n');
    expect(code).to.equal(1);
    expect(stderr).to.contain('The commit was not made.');
  });

  it('ignore files that the commit does not contain', async () => {
    await writeFile(join(clone, 'b.json'), '{"a":    1}');
    expect(await commit('a.js', 'export const a = 1;\n')).to.deep.equal({ code: 0, stderr: '' });
  });

  it('let commits pass before packages are installed', async () => {
    await rm(join(clone, 'node_modules'));
    expect((await commit('a.json', '{"a":    1}')).code).to.equal(0);
  });

  for (const subject of [
    'federation: retry a delivery after 429',
    `area: ${'x'.repeat(66)}`,
    `area: ${'é'.repeat(66)}`,
    'Merge branch "small"',
    'Revert "federation: retry a delivery after 429"',
    'fixup! federation: retry a delivery after 429',
  ]) {
    it(`accept the subject ${subject}`, async () => {
      expect(await commit('a.txt', 'a', subject)).to.deep.equal({ code: 0, stderr: '' });
    });
  }

  for (const [subject, problem] of [
    ['Retry a delivery after 429', 'does not begin with an area'],
    ['federation:retry', 'does not begin with an area'],
    ['federation: retry a delivery.', 'ends with a full stop'],
    [`area: ${'x'.repeat(67)}`, 'has 73 characters'],
    ['\n\nRetry\n\narea: what', 'does not begin with an area'],
  ] as const) {
    it(`refuse the subject ${JSON.stringify(subject)}, and say why`, async () => {
      const { code, stderr } = await commit('a.txt', 'a', subject);
      expect(code).to.equal(1);
      expect(stderr).to.contain(problem).and.to.contain('federation: retry a delivery after 429');
    });
  }
});
