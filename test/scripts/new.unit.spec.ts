import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { withImports } from '../../scripts/lib/skeleton.ts';
import { filesFor } from '../../scripts/lib/skeleton-files.ts';
import { planOf } from '../../scripts/lib/skeleton-names.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = [
  'src',
  'commands',
  'queries',
  'projections',
  'scripts',
  'test/support',
  'test/replies',
  'test/clients',
];
const SETTINGS = ['package.json', '.mocharc.json', '.editorconfig'];
const run = promisify(execFile);

describe('A new endpoint', () => {
  it('is named by its feature and its own name', () => {
    expect(planOf('query', 'featured-tags')).to.deep.equal({
      kind: 'query',
      feature: 'featured-tags',
      name: 'show',
      value: 'showFeaturedTags',
      path: '/api/v1/featured_tags/show',
    });
    expect(() => planOf('query', 'FeaturedTags')).to.throw('"FeaturedTags" is not in kebab-case');
    expect(() => planOf('projection', 'tags')).to.throw('Say `query` or `command` first.');
  });

  it('has underscores in its path and hyphens in its file, however it is written', () => {
    expect(planOf('query', 'featured_tags', 'list_old')).to.deep.equal(
      planOf('query', 'featured-tags', 'list-old'),
    );
    expect(planOf('query', 'featured_tags', 'list_old').path).to.equal('/api/v1/featured_tags/list_old');
  });

  it('is named like its neighbours: by a verb, or by the thing that it is about', () => {
    const values = [
      planOf('query', 'accounts', ':id/first-statuses'),
      planOf('query', 'statuses', ':id/show_source'),
      planOf('query', 'notifications', 'unread_count'),
      planOf('query', 'lists', 'count'),
      planOf('command', 'replies', ':id/hide'),
      planOf('command', 'markers', 'reset'),
    ].map(({ value, path }) => `${value} ${path}`);
    expect(values).to.deep.equal([
      'accountFirstStatuses /api/v1/accounts/:id/first_statuses',
      'showSourceStatus /api/v1/statuses/:id/show_source',
      'notificationUnreadCount /api/v1/notifications/unread_count',
      'countLists /api/v1/lists/count',
      'hideReply /api/v1/replies/:id/hide',
      'resetMarkers /api/v1/markers/reset',
    ]);
  });

  it('gets a file in the folder of its feature, and comes first in the list', () => {
    const index = "import { list } from './list.ts';\n\nexport const listQueries = [list];\n";
    const files = filesFor(planOf('query', 'lists', 'count'), (file) =>
      file === 'queries/lists/index.ts' ? index : undefined,
    );
    expect([...files.keys()]).to.deep.equal([
      'queries/lists/count.ts',
      'queries/lists/index.ts',
      'test/lists/count.api.spec.ts',
    ]);
    expect(files.get('queries/lists/index.ts')).to.equal(
      "import { countLists } from './count.ts';\nimport { list } from './list.ts';\n\nexport const listQueries = [\n  countLists,list];\n",
    );
  });

  it('comes last in the list when its path has a parameter, behind the literal ones', () => {
    const index = "import { list } from './list.ts';\n\nexport const listQueries = [list];\n";
    const files = filesFor(planOf('query', 'lists', ':id/readers'), (file) =>
      file === 'queries/lists/index.ts' ? index : undefined,
    );
    expect(files.get('queries/lists/index.ts')).to.contain('export const listQueries = [list,listReaders];');
  });

  it('does not replace a file', () => {
    const plan = planOf('command', 'lists', 'create');
    expect(() => filesFor(plan, () => 'export const a = [];')).to.throw(
      'create.api.spec.ts is there already',
    );
  });

  it('imports each name once', () => {
    const text = "import { a } from '../src/x.ts';\nimport type { T } from '../src/x.ts';\n";
    expect(withImports(text, 'queries/q.ts', [{ names: ['a', 'b'], from: 'src/x.ts' }])).to.equal(
      "import { a, b } from '../src/x.ts';\nimport type { T } from '../src/x.ts';\n",
    );
  });
});

describe('npm run new', function () {
  this.timeout(120_000);
  let copy: string;
  before(async () => {
    copy = await mkdtemp(join(tmpdir(), 'rookery-new-'));
    for (const path of [...SOURCES, ...SETTINGS])
      await cp(join(ROOT, path), join(copy, path), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rm(copy, { recursive: true, force: true }));

  it('makes endpoints that pass their own specs: in a file, in a folder, in a new feature', async () => {
    const made = [
      ['query', 'blocks', 'count'],
      ['query', 'accounts', ':id/first_statuses'],
      ['command', 'lists', ':id/archive'],
      ['command', 'markers', 'reset'],
      ['query', 'gardens'],
      ['command', 'gardens'],
    ];
    for (const args of made) await run(process.execPath, ['scripts/new.ts', ...args], { cwd: copy });
    const specs = [
      'blocks/count',
      'accounts/first-statuses',
      'lists/archive',
      'markers/reset',
      'gardens/show',
      'gardens/create',
    ];
    const files = specs.map((spec) => `test/${spec}.api.spec.ts`);
    const { stdout } = await run(process.execPath, ['node_modules/mocha/bin/mocha.js', ...files], {
      cwd: copy,
    });
    expect(stdout).to.match(/^ {2}18 passing/m);
    const blocks = await readFile(join(copy, 'queries/blocks.ts'), 'utf8');
    expect(blocks).to.contain('export const blockQueries = [countBlocks, listBlocks];');
    const accounts = await readFile(join(copy, 'queries/accounts/index.ts'), 'utf8');
    expect(accounts).to.match(/,\n {2}accountFirstStatuses,\n\];/);
    const contracts = await readFile(join(copy, 'src/interfaces/http/contracts.ts'), 'utf8');
    expect(contracts).to.contain("'GET v1/blocks/count': ContractOf<typeof countBlocks>;");
    await run(process.execPath, ['scripts/contracts.ts', '--check'], { cwd: copy });
  });
});
