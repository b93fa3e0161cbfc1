import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { expect } from 'chai';
import { withImports } from '../../scripts/lib/skeleton.ts';
import { filesFor } from '../../scripts/lib/skeleton-files.ts';
import { knownHere } from '../../scripts/lib/skeleton-known.ts';
import { type Known, type Plan, planOf } from '../../scripts/lib/skeleton-names.ts';
import { laterPlaces } from '../../scripts/lib/skeleton-places.ts';
import type { Asked } from '../../scripts/lib/skeleton-words.ts';

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

/** A repository with a few features. */
const known: Known = {
  features: ['accounts', 'blocks', 'lists', 'admin/reports'],
  endpoints: [
    {
      method: 'GET',
      path: '/api/v1/lists/:id',
      permission: undefined,
      scopes: [],
      file: 'queries/lists/list.ts',
    },
    {
      method: 'GET',
      path: '/api/v1/admin/reports/:id',
      permission: 'manage_reports',
      scopes: ['admin:read:reports'],
      file: 'queries/admin/reports/list.ts',
    },
  ],
  names: new Set(['countLists', 'showBlocks', 'blockShow']),
  statements: new Set(['account_newest']),
};
/** Reads a line as it is typed. */
function askedBy(line: string): Asked {
  const { positionals, values } = parseArgs({
    args: line.split(' '),
    allowPositionals: true,
    options: { method: { type: 'string' }, permission: { type: 'string' } },
  });
  const [kind, feature, name] = positionals;
  return { kind, feature, name, ...values };
}
const plan = (line: string): Plan => planOf(askedBy(line), known);
const textIn = (root: string, file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;
const failure = (line: string): string => {
  try {
    return plan(line).path;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('A new endpoint', () => {
  it('is named by its feature and its own name', () => {
    expect(plan('query featured-tags newest')).to.deep.equal({
      kind: 'query',
      method: 'GET',
      feature: 'featured-tags',
      name: 'newest',
      value: 'featuredTagNewest',
      path: '/api/v1/featured_tags/newest',
      beside: [],
    });
    expect(failure('projection tags')).to.equal('Say `query` or `command` first.');
  });

  it('has underscores in its path and hyphens in its file, however it is written', () => {
    expect(plan('query featured_tags list_old')).to.deep.equal(plan('query featured-tags list-old'));
    expect(plan('query featured_tags list_old').path).to.equal('/api/v1/featured_tags/list_old');
  });

  it('is named like its neighbours: by a verb, or by the thing that it is about', () => {
    const lines = [
      'query accounts :id/first-statuses',
      'query statuses :id/show_source',
      'query notifications unread_count',
      'query lists :id/accounts/newest',
      'query gardens',
      'query gardens :id',
      'command gardens',
      'command replies :id/hide',
      'command markers reset',
      'query admin/reports count',
    ];
    expect(lines.map((line) => `${plan(line).value} ${plan(line).path}`)).to.deep.equal([
      'accountFirstStatuses /api/v1/accounts/:id/first_statuses',
      'showSourceStatus /api/v1/statuses/:id/show_source',
      'notificationUnreadCount /api/v1/notifications/unread_count',
      'listAccountsNewest /api/v1/lists/:id/accounts/newest',
      'showGardens /api/v1/gardens',
      'showGarden /api/v1/gardens/:id',
      'createGarden /api/v1/gardens',
      'hideReply /api/v1/replies/:id/hide',
      'resetMarkers /api/v1/markers/reset',
      'countAdminReports /api/v1/admin/reports/count',
    ]);
  });

  it('takes another name when one is taken, and is refused when all are', () => {
    expect(plan('query lists count').value).to.equal('listCount');
    expect(failure('query blocks show')).to.equal(
      'Other files have exports or statements called showBlocks and blockShow already: give the endpoint another name.',
    );
    expect(failure('query accounts newest')).to.contain('exports or statements called accountNewest already');
  });

  it('has a method of its own at a path that exists, and a file named after it', () => {
    const { method, name, value, path, beside } = plan('command lists :id --method delete');
    expect({ method, name, value, path, beside }).to.deep.equal({
      method: 'DELETE',
      name: 'delete',
      value: 'deleteList',
      path: '/api/v1/lists/:id',
      beside: ['GET in queries/lists/list.ts'],
    });
    const named = plan('command lists :id/archive --method PUT');
    expect([named.name, named.value]).to.deep.equal(['update-archive', 'updateListArchive']);
    expect(failure('query lists :id')).to.equal(
      'GET /api/v1/lists/:id exists already, in queries/lists/list.ts. Give the new one a name of its own.',
    );
    expect(failure('query lists all --method put')).to.equal('A query is a GET: say `command` for PUT.');
    expect(failure('command lists all --method head')).to.contain('POST, PUT, PATCH, DELETE; HEAD is none');
  });

  it('has the permission and the scope of its feature when it is for staff', () => {
    expect(plan('query admin/reports count').staff).to.deep.equal({
      permission: 'manage_reports',
      scope: 'admin:read:reports',
    });
    expect(plan('command admin/reports :id/reset').staff?.scope).to.equal('admin:write:reports');
    expect(plan('command admin/gardens --permission manage_rules').staff).to.deep.equal({
      permission: 'manage_rules',
      scope: 'admin:write',
    });
    expect(failure('query admin/gardens')).to.contain(
      'say the permission of its users, such as --permission',
    );
    expect(failure('query admin/gardens --permission dig')).to.contain('There is no permission dig.');
    expect(failure('query lists newest --permission manage_rules')).to.contain(
      'say the feature as admin/FEATURE',
    );
  });

  it('is refused with what to type instead', () => {
    expect(
      Object.fromEntries(
        [
          'query admin newest',
          'query account oldest',
          'query lists/newest',
          'query /api/v1/lists/:id newest',
          'query FeaturedTags newest',
          'command lists archiveAll',
          'query lists :list_id/newest',
          'query lists ?',
          'query ',
        ].map((line) => [line, failure(line)]),
      ),
    ).to.deep.equal({
      'query admin newest':
        'admin is the folder of all features of staff: say which one. Type: npm run new -- query admin/newest',
      'query account oldest': 'The feature is called accounts. Type: npm run new -- query accounts oldest',
      'query lists/newest':
        '"lists/newest" is a path: say the feature and the rest apart. Type: npm run new -- query lists newest',
      'query /api/v1/lists/:id newest':
        '"/api/v1/lists/:id" is a path: say the feature and the rest apart. Type: npm run new -- query lists :id/newest',
      'query FeaturedTags newest':
        '"FeaturedTags" is not in kebab-case, such as featured-tags. Type: npm run new -- query featured-tags newest',
      'command lists archiveAll':
        '"archiveAll" is not in kebab-case, such as featured-tags. Type: npm run new -- command lists archive-all',
      'query lists :list_id/newest':
        'Only :id at the start stands for a thing; write :list_id into the file afterwards. Type: npm run new -- query lists :id/newest',
      'query lists ?': '"?" is not in kebab-case, such as featured-tags.',
      'query ': 'Say the feature. Type: npm run new -- query blocks count',
    });
  });

  it('is planned by each line of the documents', async () => {
    const here = await knownHere();
    const read = (file: string): string | undefined => textIn(ROOT, file);
    const documents = ['CONTRIBUTING.md', 'scripts/new.ts'].map((file) => read(file) ?? '').join('\n');
    const lines = [...documents.matchAll(/npm run new -- ((?:query|command) [^`\n]*?)(?:`|\s{2,}|$)/gm)];
    expect(lines.length).to.be.at.least(6);
    for (const [, line = ''] of lines) {
      expect(filesFor(planOf(askedBy(line), here), read).size, line).to.be.at.least(2);
    }
  });
});

describe('The files of a new endpoint', () => {
  const index = "import { list } from './list.ts';\n\nexport const listQueries = [list];\n";
  const withIndex = (file: string): string | undefined =>
    file === 'queries/lists/index.ts' ? index : undefined;

  it('are in the folder of its feature, and it comes first in the list', () => {
    const files = filesFor(plan('query lists count'), withIndex);
    expect([...files.keys()]).to.deep.equal([
      'queries/lists/count.ts',
      'queries/lists/index.ts',
      'test/lists/count.api.spec.ts',
    ]);
    expect(files.get('queries/lists/index.ts')).to.equal(
      "import { listCount } from './count.ts';\nimport { list } from './list.ts';\n\nexport const listQueries = [\n  listCount,list];\n",
    );
  });

  it('name it last in the list when its path has a parameter, behind the literal ones', () => {
    const files = filesFor(plan('query lists :id/readers'), withIndex);
    expect(files.get('queries/lists/index.ts')).to.contain('export const listQueries = [list,listReaders];');
  });

  it('list it where an index takes its list from, and never nowhere', () => {
    const passedOn: Record<string, string> = {
      'commands/lists/index.ts': "export { listCommands } from './endpoints.ts';\n",
      'commands/lists/endpoints.ts': 'export const listCommands = [create];\n',
    };
    const files = filesFor(plan('command lists reset'), (file) => passedOn[file]);
    expect(files.get('commands/lists/endpoints.ts')).to.contain('[\n  resetLists,create]');
    expect(() =>
      filesFor(plan('query lists newest'), (file) => (withIndex(file) ? 'export {};' : undefined)),
    ).to.throw('queries/lists/index.ts has no list of endpoints.');
  });

  it('are those of staff for an endpoint of staff, with permission and scope', () => {
    const all = 'export const queryEndpoints = [];\n';
    const files = filesFor(plan('query admin/gardens --permission manage_rules'), (file) =>
      file === 'queries/index.ts' ? all : undefined,
    );
    expect([...files.keys()]).to.deep.equal([
      'queries/admin/gardens.ts',
      'queries/index.ts',
      'test/admin-gardens/show.api.spec.ts',
    ]);
    expect(files.get('queries/index.ts')).to.contain('...adminGardenQueries');
    expect(files.get('queries/admin/gardens.ts')).to.contain(
      "  scopes: ['admin:read'],\n  permission: 'manage_rules',\n  reply:",
    );
  });

  it('replace no file, no list of another feature, and no method of a path in one file', () => {
    const create = plan('command lists create');
    expect(() => filesFor(create, () => 'export const aCommands = [];')).to.throw(
      'create.api.spec.ts is there already',
    );
    expect(() => filesFor(plan('query gardens'), () => undefined)).not.to.throw();
    const taken = 'export const queryEndpoints = [...gardenQueries];';
    expect(() =>
      filesFor(plan('query gardens'), (file) => (file === 'queries/index.ts' ? taken : undefined)),
    ).to.throw('has a list gardenQueries of another feature');
    const alone =
      "export const a = endpoint({ path: '/api/v1/gardens' });\nexport const gardenCommands = [a];";
    expect(() =>
      filesFor(plan('command gardens --method put'), (file) =>
        file === 'commands/gardens.ts' ? alone : undefined,
      ),
    ).to.throw('make the feature a folder with commands/gardens/index.ts first');
  });

  it('have no blank line within a declaration', () => {
    const texts = ['query gardens', 'query gardens :id', 'command gardens', 'command gardens :id/water'].map(
      (line) =>
        filesFor(plan(line), () => undefined)
          .values()
          .next().value ?? '',
    );
    for (const text of texts) expect(/endpoint\(\{\n[^]*?\n\}\);/.exec(text)?.[0]).not.to.contain('\n\n');
  });

  it('imports each name once', () => {
    const text = "import { a } from '../src/x.ts';\nimport type { T } from '../src/x.ts';\n";
    expect(withImports(text, 'queries/q.ts', [{ names: ['a', 'b'], from: 'src/x.ts' }])).to.equal(
      "import { a, b } from '../src/x.ts';\nimport type { T } from '../src/x.ts';\n",
    );
  });
});

describe('The later places of a new endpoint', () => {
  const places = (line: string): string[] =>
    laterPlaces(plan(line)).map((place) => place.trim().split(':')[0] ?? '');

  it('are those whose specs ask for it', () => {
    expect(places('query lists newest')).to.deep.equal([
      'test/visibility/surfaces.ts',
      'test/clients/answers.ts',
      'npm run contracts',
      'CONFORMANCE=record npm run conformance',
      'docs/changes/',
    ]);
    expect(places('command lists :id/archive')).to.include.members([
      'test/visibility/own.api.spec.ts',
      'test/http/required-fields.api.spec.ts',
    ]);
    const staff = places('command admin/reports :id/archive');
    expect(staff)
      .to.include('test/audit/completeness.api.spec.ts')
      .and.not.include('test/visibility/own.api.spec.ts');
  });

  it('name the other methods of the path', () => {
    expect(laterPlaces(plan('command lists :id --method delete'))[0]).to.equal(
      '  /api/v1/lists/:id: has other methods too: GET in queries/lists/list.ts',
    );
  });

  it('exist', () => {
    const files = laterPlaces(plan('command lists :id/archive'))
      .concat(laterPlaces(plan('command admin/reports reset')))
      .flatMap((line) => /(?:test|docs)\/[\w./-]+/.exec(line)?.[0] ?? []);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).to.deep.equal([]);
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

  it('makes endpoints that pass their own specs: in a file, in a folder, in a new feature, for staff', async () => {
    const made: Readonly<Record<string, string>> = {
      'query blocks count': 'blocks/count',
      'query lists count': 'lists/count',
      'query accounts :id/first_statuses': 'accounts/first-statuses',
      'query admin/reports count': 'admin-reports/count',
      'query gardens': 'gardens/show',
      'command lists :id/archive': 'lists/archive',
      'command lists :id/archive --method delete': 'lists/delete-archive',
      'command markers reset': 'markers/reset',
      'command gardens': 'gardens/create',
      'command admin/rules reset': 'admin-rules/reset',
    };
    // The script itself runs for some, which saves minutes.
    const scripted = [
      'query blocks count',
      'query admin/reports count',
      'command lists :id/archive --method delete',
    ];
    const here = await knownHere();
    for (const line of Object.keys(made).filter((each) => !scripted.includes(each))) {
      const files = filesFor(planOf(askedBy(line), here), (file) => textIn(copy, file));
      for (const [file, text] of files) {
        await mkdir(dirname(join(copy, file)), { recursive: true });
        await writeFile(join(copy, file), text);
      }
    }
    for (const line of scripted)
      await run(process.execPath, ['scripts/new.ts', ...line.split(' ')], { cwd: copy });
    const files = Object.values(made).map((spec) => `test/${spec}.api.spec.ts`);
    const { stdout } = await run(process.execPath, ['node_modules/mocha/bin/mocha.js', ...files], {
      cwd: copy,
    });
    expect(stdout).to.match(/^ {2}32 passing/m);
    const blocks = await readFile(join(copy, 'queries/blocks.ts'), 'utf8');
    expect(blocks).to.contain('export const blockQueries = [countBlocks, listBlocks];');
    const accounts = await readFile(join(copy, 'queries/accounts/index.ts'), 'utf8');
    expect(accounts).to.match(/,\s*accountFirstStatuses,?\s*\];/);
    const contracts = await readFile(join(copy, 'src/interfaces/http/contracts.ts'), 'utf8');
    expect(contracts).to.contain("'GET v1/blocks/count': ContractOf<typeof countBlocks>;");
    await run(process.execPath, ['scripts/contracts.ts', '--check'], { cwd: copy });
  });
});
