import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { catalogue } from '#events/index.ts';
import { consolePages } from '#interfaces/web/admin/index.ts';
import { clientPages } from '#interfaces/web/client/index.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
import { projections } from '#projections/index.ts';
import { jobHandlers, reactors, timers } from '#reactors/index.ts';
import { type Kind, modulesIn, unlisted } from '../../scripts/lib/unlisted.ts';

const has =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && names.every((name) => name in value);
const nameOf = (value: unknown): unknown => (value as { name: string }).name;

const KINDS: Readonly<Record<string, Kind & { folders: readonly string[] }>> = {
  endpoint: {
    folders: ['commands', 'queries'],
    isOne: has('method', 'path', 'handler', 'reply'),
    listed: endpoints,
  },
  page: {
    folders: ['src/interfaces/web'],
    isOne: has('audience', 'path', 'show'),
    listed: [...accountPages, ...consolePages, ...clientPages],
  },
  reactor: { folders: ['src/reactors'], isOne: has('types', 'react'), listed: reactors },
  timer: { folders: ['src/reactors'], isOne: has('wakes', 'fire'), listed: timers },
  job: { folders: ['src/reactors'], isOne: has('name', 'work'), listed: jobHandlers },
  // The list has copies, with digests.
  'read model': {
    folders: ['projections'],
    isOne: has('name', 'tables', 'handlers'),
    listed: projections,
    key: nameOf,
  },
  event: { folders: ['src/events'], isOne: has('type', 'schema', 'samples'), listed: catalogue },
};

describe('The lists of the server', () => {
  for (const [name, { folders, ...kind }] of Object.entries(KINDS)) {
    it(`contain every ${name} that a file exports`, async () => {
      const modules = await modulesIn(...folders);
      const found = modules.flatMap(({ exports }) => Object.values(exports).flat()).filter(kind.isOne);
      expect(found.length, 'found in the files').to.be.at.least(kind.listed.length);
      expect(unlisted(modules, kind), `The server does not have each ${name}`).to.deep.equal([]);
    });
  }
});

describe('The search for what no list contains', () => {
  const one = { path: '/one' };
  const other = { path: '/other' };
  const searched = (exports: Record<string, Record<string, unknown>>, ...listed: object[]): string[] =>
    unlisted(
      Object.entries(exports).map(([file, each]) => ({ file, exports: each })),
      { isOne: has('path'), listed },
    );

  it('finds a value that its feature does not list, and names the index of the feature', () => {
    const files = {
      'queries/lists/count.ts': { countLists: one, MOST: 3 },
      'queries/lists/index.ts': { listQueries: [other] },
      'queries/index.ts': { queryEndpoints: [other] },
    };
    expect(searched(files, other)).to.deep.equal([
      'queries/lists/count.ts: list countLists in queries/lists/index.ts',
    ]);
    expect(searched(files, one, other)).to.deep.equal([]);
  });

  it('finds a feature that is listed nowhere, and names the index of all features', () => {
    const files = {
      'queries/lists/show.ts': { showList: one },
      'queries/lists/index.ts': { listQueries: [one] },
      'queries/index.ts': { queryEndpoints: [other] },
    };
    expect(searched(files, other)).to.deep.equal([
      'queries/lists/index.ts: list ...listQueries in queries/index.ts',
    ]);
  });

  it('names the file itself when that has the list, and the routes when there is none', () => {
    const blocks = { 'queries/blocks.ts': { countBlocks: one, blockQueries: [other] } };
    expect(searched(blocks, other)).to.deep.equal([
      'queries/blocks.ts: list countBlocks in queries/blocks.ts',
    ]);
    expect(searched({ 'queries/blocks.ts': { countBlocks: one } })).to.deep.equal([
      'queries/blocks.ts: list countBlocks in src/app/routes.ts',
    ]);
  });

  it('names the longest list of several that lack the same', () => {
    const files = {
      'web/admin/rules/acts.ts': { acts: [one] },
      'web/admin/rules/index.ts': { rulePages: [one, other] },
      'web/admin/index.ts': { consolePages: [] },
    };
    expect(searched(files)).to.deep.equal([
      'web/admin/rules/index.ts: list ...rulePages in web/admin/index.ts',
    ]);
  });
});
