import { expect } from 'chai';
import type { DomainAllowEvent } from '#events/domain-allows.ts';
import type { EmailDomainBlockEvent } from '#events/email-domain-blocks.ts';
import { domainAllows } from '#projections/domain-allows.ts';
import { emailDomainBlocks } from '#projections/email-domain-blocks.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const one = { id: '1', domain: 'one.example' };
const two = { id: '2', domain: 'two.example' };
const again = { id: '3', domain: 'one.example' };

describe('The read models of listed domains', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contain allowed domains', async () => {
    const events: DomainAllowEvent[] = [
      { type: 'DomainAllowed', data: one },
      { type: 'DomainAllowed', data: two },
      { type: 'DomainDisallowed', data: one },
      { type: 'DomainAllowed', data: again },
      { type: 'DomainDisallowed', data: two },
    ];
    const { domain_allows: rows } = await project(db, domainAllows, events);
    expect(rows?.map(({ id, domain }) => [id, domain])).to.deep.equal([[3, 'one.example']]);
  });

  it('contain blocked domains', async () => {
    const refusing = { allow_with_approval: false };
    const events: EmailDomainBlockEvent[] = [
      { type: 'EmailDomainBlocked', data: { ...one, ...refusing } },
      { type: 'EmailDomainUnblocked', data: one },
      { type: 'EmailDomainBlocked', data: { ...two, ...refusing } },
      { type: 'EmailDomainBlocked', data: { ...again, ...refusing } },
    ];
    const { email_domain_blocks: rows } = await project(db, emailDomainBlocks, events);
    expect(rows?.map(({ id, domain }) => [id, domain])).to.have.deep.members([
      [2, 'two.example'],
      [3, 'one.example'],
    ]);
  });
});
