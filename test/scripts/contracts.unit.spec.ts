import { expect } from 'chai';
import { contractEntries, contractsText } from '../../scripts/lib/contracts.ts';

const show = { method: 'GET', path: '/api/v1/lists/:id' };
const create = { method: 'POST', path: '/api/v1/lists' };
const block = { method: 'GET', path: '/api/v1/domain_blocks' };
const nodeInfo = { method: 'GET', path: '/nodeinfo/2.0' };
const declared = new Map([
  [show, { file: 'queries/lists/show.ts', name: 'showList' }],
  [create, { file: 'commands/lists/create.ts', name: 'createList' }],
  [block, { file: 'queries/domain-blocks.ts', name: 'showList' }],
]);

describe('The map of contracts', () => {
  it('names each endpoint as clients do, with the value that declares it', async () => {
    const text = await contractsText(contractEntries([show, create], declared));
    expect(text).to.contain("import type { createList } from '#commands/lists/create.ts';\n");
    expect(text).to.contain("  'POST v1/lists': ContractOf<typeof createList>;\n");
    expect(text).to.contain("  'GET v1/lists/:id': ContractOf<typeof showList>;\n");
  });

  it('leaves out endpoints that are not in the API', () => {
    expect(contractEntries([nodeInfo, create], declared).map(({ name }) => name)).to.deep.equal([
      'POST v1/lists',
    ]);
  });

  it('gives two values of one name two names', async () => {
    const text = await contractsText(contractEntries([show, block], declared));
    expect(text).to.contain("import type { showList } from '#queries/domain-blocks.ts';");
    expect(text).to.contain("import type { showList as showList2 } from '#queries/lists/show.ts';");
    expect(text).to.contain("  'GET v1/lists/:id': ContractOf<typeof showList2>;\n");
  });

  it('is the same for every order of the endpoints', async () => {
    const one = await contractsText(contractEntries([show, create, block], declared));
    expect(await contractsText(contractEntries([block, create, show], declared))).to.equal(one);
  });

  it('refuses an endpoint that no file exports by a name', () => {
    const listed = new Map([[show, { file: 'queries/lists/index.ts', name: undefined }]]);
    for (const known of [listed, new Map<unknown, never>()]) {
      expect(() => contractEntries([show], known)).to.throw('GET v1/lists/:id has no contract: export');
    }
  });
});
