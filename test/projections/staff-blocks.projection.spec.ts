import { expect } from 'chai';
import type { DomainBlockEvent, DomainRules } from '#events/admin-domain-blocks.ts';
import type { CanonicalEmailBlockEvent } from '#events/canonical-email-blocks.ts';
import type { IpBlockEvent } from '#events/ip-blocks.ts';
import { canonicalEmailBlocks } from '#projections/canonical-email-blocks.ts';
import { domainBlocks } from '#projections/domain-blocks.ts';
import { ipBlocks } from '#projections/ip-blocks.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const rules: DomainRules = {
  severity: 'silence',
  reject_media: true,
  reject_reports: false,
  private_comment: 'private',
  public_comment: 'public',
  obfuscate: false,
};
const digest = (name: string): string => name.padEnd(64, '0');

describe('The read models of blocks by staff', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contain domains with their rules', async () => {
    const named = (id: string) => ({ id, domain: `${id}.example` });
    const events: DomainBlockEvent[] = [
      { type: 'DomainBlocked', data: { ...named('1'), ...rules } },
      { type: 'DomainBlocked', data: { ...named('2'), ...rules } },
      { type: 'DomainBlockChanged', data: { ...named('1'), severity: 'suspend', private_comment: null } },
      { type: 'DomainBlockChanged', data: { ...named('2'), public_comment: 'new', obfuscate: true } },
      { type: 'DomainBlockChanged', data: { ...named('1'), reject_media: false } },
      { type: 'DomainBlocked', data: { ...named('3'), ...rules } },
      { type: 'DomainUnblocked', data: named('3') },
    ];
    const { domain_blocks: rows = [] } = await project(db, domainBlocks, events);
    expect(rows.map(({ created_at: _, ...row }) => row)).to.have.deep.members([
      {
        ...rules,
        id: 1,
        domain: '1.example',
        severity: 'suspend',
        private_comment: null,
        reject_media: false,
      },
      { ...rules, id: 2, domain: '2.example', public_comment: 'new', obfuscate: true },
    ]);
  });

  it('contain ranges of addresses', async () => {
    const block = (id: string, ip: string): IpBlockEvent => ({
      type: 'IpBlocked',
      data: { id, digest: digest(id), ip, severity: 'no_access', comment: '', expires_at: null },
    });
    const change = (id: string, changes: object): IpBlockEvent => ({
      type: 'IpBlockChanged',
      data: { id, digest: digest(id), ...changes },
    });
    const { ip_blocks: rows = [] } = await project(db, ipBlocks, [
      block('1', '192.0.2.0/24'),
      block('2', '2001:db8::/32'),
      change('1', { expires_at: '2030-01-01T00:00:00.000Z', comment: 'why' }),
      change('2', { severity: 'sign_up_block' }),
      change('1', { severity: 'sign_up_block' }),
      block('3', '0.0.0.0/32'),
      { type: 'IpUnblocked', data: { id: '3', digest: digest('3') } },
      change('1', { expires_at: null }),
    ]);
    expect(
      rows.map(({ id, ip, severity, comment, expires_at }) => [id, ip, severity, comment, expires_at]),
    ).to.have.deep.members([
      [1, '192.0.2.0/24', 'sign_up_block', 'why', null],
      [2, '2001:db8::/32', 'sign_up_block', '', null],
    ]);
  });

  it('contain mailboxes', async () => {
    const data = (id: string) => ({ id, canonical_email_hash: digest(id) });
    const events: CanonicalEmailBlockEvent[] = [
      { type: 'CanonicalEmailBlocked', data: data('1') },
      { type: 'CanonicalEmailBlocked', data: data('2') },
      { type: 'CanonicalEmailUnblocked', data: data('1') },
    ];
    const { canonical_email_blocks: rows } = await project(db, canonicalEmailBlocks, events);
    expect(rows).to.deep.equal([{ id: 2, canonical_email_hash: digest('2') }]);
  });
});
