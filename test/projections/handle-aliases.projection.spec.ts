import { expect } from 'chai';
import type { DomainEvent } from '#kernel/event.ts';
import { handleAliases } from '#projections/handle-aliases.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const [ALICE, BOB, CAROL] = ['115500000000000000', '115500000000000001', '115500000000000002'] as const;

const digestOf = (letter: string): string => letter.repeat(64);
const named =
  (type: 'RemoteHandleAliased' | 'RemoteHandleClaimed') => (letter: string, account_id: string) => ({
    type,
    data: { digest: digestOf(letter), account_id },
  });
const aliased = named('RemoteHandleAliased');
const claimed = named('RemoteHandleClaimed');
const about = (type: string, account_id: string): DomainEvent => ({ type, data: { account_id } });

describe('The read model of handles that lead to other accounts', () => {
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contains where each leads last, until an account has it as its own', async function () {
    this.timeout(60_000);
    const { handle_aliases: rows } = await project(db, handleAliases, [
      claimed('a', ALICE),
      aliased('b', ALICE),
      aliased('c', ALICE),
      aliased('b', BOB),
      aliased('d', BOB),
      claimed('d', CAROL),
    ]);
    expect(rows).to.have.deep.members([
      { digest: digestOf('b'), account_id: BOB },
      { digest: digestOf('c'), account_id: ALICE },
    ]);
  });

  it('contains nothing of an account that was erased or removed', async function () {
    this.timeout(60_000);
    const { handle_aliases: rows } = await project(db, handleAliases, [
      aliased('a', ALICE),
      aliased('b', BOB),
      aliased('c', CAROL),
      about('PersonalDataErased', ALICE),
      about('RemoteAccountRemoved', BOB),
    ]);
    expect(rows).to.deep.equal([{ digest: digestOf('c'), account_id: CAROL }]);
  });
});
