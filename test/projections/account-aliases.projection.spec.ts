import { expect } from 'chai';
import type { DomainEvent } from '#kernel/event.ts';
import { accountAliases } from '#projections/account-aliases.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const [ALICE, BOB, CAROL] = ['115500000000000000', '115500000000000001', '115500000000000002'] as const;

const about = (type: string, account_id: string, name?: string): DomainEvent => ({
  type,
  data: { account_id, ...(name === undefined ? {} : { uri: name && `https://far.example/${name}` }) },
});

describe('The read model of aliases', () => {
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contains the remaining aliases of existing accounts', async function () {
    this.timeout(60_000);
    const { account_aliases: rows } = await project(db, accountAliases, [
      about('AccountAliasAdded', ALICE, 'a'),
      about('AccountAliasAdded', ALICE, 'b'),
      about('AccountAliasAdded', BOB, 'a'),
      about('AccountAliasAdded', CAROL, 'a'),
      about('AccountAliasRemoved', ALICE, 'a'),
      about('AccountAliasRemoved', BOB, 'b'),
      about('AccountAliasAdded', ALICE, 'c'),
      about('AccountAliasRemoved', ALICE, 'c'),
      about('AccountAliasAdded', ALICE, 'c'),
      about('UserRejected', CAROL),
    ]);
    expect(rows?.map(({ account_id, uri }) => [account_id, uri])).to.have.deep.members([
      [ALICE, 'https://far.example/b'],
      [ALICE, 'https://far.example/c'],
      [BOB, 'https://far.example/a'],
    ]);
  });

  it('contains nothing of an erased user, in whose log all aliases are equal', async function () {
    this.timeout(60_000);
    const { account_aliases: rows } = await project(db, accountAliases, [
      about('AccountAliasAdded', ALICE, ''),
      about('AccountAliasAdded', ALICE, ''),
      about('AccountAliasRemoved', ALICE, ''),
      about('AccountAliasAdded', ALICE, ''),
      about('AccountAliasAdded', BOB, 'a'),
      about('PersonalDataErased', ALICE),
    ]);
    expect(rows?.map(({ account_id }) => account_id)).to.deep.equal([BOB]);
  });
});
