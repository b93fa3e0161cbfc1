import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = ['.githooks', 'package.json', 'eslint.config.js', 'scripts/lint', 'tsconfig.json'];

describe('The pre-commit hook', function () {
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
  const commit = async (name: string, text: string): Promise<{ code: number; stderr: string }> => {
    await writeFile(join(clone, name), text);
    await git('add', name);
    return git('commit', '--quiet', '--message', 'a change');
  };

  it('accepts files that are formatted and keep the rules', async () => {
    expect(await commit('a file.js', "export const a = 'b';\n")).to.deep.equal({ code: 0, stderr: '' });
  });

  it('refuses a file that is not formatted', async () => {
    const { code, stderr } = await commit('a file.json', '{"a":    1}');
    expect(code).to.equal(1);
    expect(stderr).to.contain('a file.json').and.to.contain('npm run lint:fix');
  });

  it('refuses a file that breaks a rule', async () => {
    const { code, stderr } = await commit('a.js', 'const unused = 1;\n');
    expect(code).to.equal(1);
    expect(stderr).to.contain('The commit was not made.');
  });

  it('ignores files that the commit does not contain', async () => {
    await writeFile(join(clone, 'b.json'), '{"a":    1}');
    expect(await commit('a.js', 'export const a = 1;\n')).to.deep.equal({ code: 0, stderr: '' });
  });

  it('lets commits pass before packages are installed', async () => {
    await rm(join(clone, 'node_modules'));
    expect((await commit('a.json', '{"a":    1}')).code).to.equal(0);
  });
});
