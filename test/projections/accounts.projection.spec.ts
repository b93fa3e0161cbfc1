import { expect } from 'chai';
import { AccountCreated } from '#events/accounts.ts';
import { AccountUriReplaced, RemoteAccountRenamed, RemoteHandleLost } from '#events/federation.ts';
import { StatusReblogged } from '#events/interactions.ts';
import { StatusCreated, StatusDeleted } from '#events/statuses.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { MEDIA_ORIGIN, ORIGIN } from '#mastodon/ready-json.ts';
import { accounts } from '#projections/accounts/index.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const [ALICE, BOB, CAROL] = ['115500000000000000', '115500000000000001', '115500000000000002'] as const;
const [POST, OTHER] = ['115500000000000010', '115500000000000011'] as const;
const NOW = '2026-11-21T08:00:00.000Z';

const created = (id: string, username: string): DomainEvent => ({
  type: 'AccountCreated',
  data: { ...AccountCreated.samples[AccountCreated.version as 2], id, username },
});
const posted = (id: string, visibility = 'public'): DomainEvent => ({
  type: 'StatusCreated',
  data: { ...StatusCreated.samples[StatusCreated.version as 1], id, account_id: ALICE, visibility },
});
const deleted = (id: string): DomainEvent => ({
  type: 'StatusDeleted',
  data: { ...StatusDeleted.samples[1], id, account_id: ALICE },
});
const reblogged = (account_id: string, status_id: string): DomainEvent => ({
  type: 'StatusReblogged',
  data: { ...StatusReblogged.samples[1], account_id, status_id },
});
const unreblogged = (account_id: string, status_id: string): DomainEvent => ({
  type: 'StatusUnreblogged',
  data: { id: '1', account_id, status_id, status_account_id: ALICE },
});
const moved = (account_id: string, target_account_id: string, with_followers = true): DomainEvent => ({
  type: 'AccountMoved',
  data: { account_id, target_account_id, moved_at: NOW, with_followers },
});

/** Returns a body without the marks for our own hosts. */
const hostless = (body: unknown): string => String(body).replaceAll(MEDIA_ORIGIN, '').replaceAll(ORIGIN, '');

describe('The read model of accounts', () => {
  let db: Awaited<ReturnType<typeof openScratchDatabase>>;
  before(async () => {
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contains the present names of remote accounts, also where two change places', async function () {
    this.timeout(60_000);
    const far = (id: string, username: string): DomainEvent => ({
      type: 'AccountCreated',
      data: { ...AccountCreated.samples[AccountCreated.version], id, username, domain: 'far.example' },
    });
    const renamed = (account_id: string, username: string): DomainEvent => ({
      type: 'RemoteAccountRenamed',
      data: {
        ...RemoteAccountRenamed.samples[1],
        account_id,
        username,
        url: `https://far.example/@${username}`,
      },
    });
    const replaced = (account_id: string, uri: string): DomainEvent => ({
      type: 'AccountUriReplaced',
      data: { ...AccountUriReplaced.samples[1], account_id, uri, url: uri },
    });
    const { accounts: rows } = await project(db, accounts, [
      far(ALICE, 'alice'),
      far(BOB, 'bob'),
      renamed(ALICE, 'carol'),
      renamed(BOB, 'Alice'),
      far(CAROL, 'bob'),
      renamed(ALICE, 'dora'),
      replaced(CAROL, 'https://far.example/ap/first'),
      replaced(CAROL, 'https://far.example/ap/second'),
    ]);
    const names = rows?.map(({ id, acct_key, uri, body }) => {
      const { username, acct, url } = JSON.parse(`{${hostless(body)}}`) as Record<string, string>;
      return [id, acct_key, username, acct, url, uri === url];
    });
    expect(names).to.have.deep.members([
      [ALICE, 'dora@far.example', 'dora', 'dora@far.example', 'https://far.example/@dora', false],
      [BOB, 'alice@far.example', 'Alice', 'Alice@far.example', 'https://far.example/@Alice', false],
      [CAROL, 'bob@far.example', 'bob', 'bob@far.example', 'https://far.example/ap/second', true],
    ]);
  });

  it('contains an account without a handle of its own until it is renamed, and never one handle twice', async function () {
    this.timeout(60_000);
    const far = (id: string, username: string): DomainEvent => ({
      type: 'AccountCreated',
      data: { ...AccountCreated.samples[AccountCreated.version], id, username, domain: 'far.example' },
    });
    const renamed = (account_id: string, username: string): DomainEvent => ({
      type: 'RemoteAccountRenamed',
      data: { ...RemoteAccountRenamed.samples[1], account_id, username },
    });
    const lost = (account_id: string): DomainEvent => ({
      type: 'RemoteHandleLost',
      data: { ...RemoteHandleLost.samples[1], account_id },
    });
    const { accounts: rows } = await project(db, accounts, [
      ...[far(ALICE, 'alice'), far(BOB, 'bob'), far(CAROL, 'carol')],
      ...[lost(ALICE), renamed(BOB, 'alice'), lost(BOB), renamed(BOB, 'Alice'), renamed(CAROL, 'dora')],
      renamed(CAROL, 'alice'),
    ]);
    const names = rows?.map(({ id, username, domain, acct_key, invalid_handle, body }) => {
      const { acct, invalid_handle: told } = JSON.parse(`{${hostless(body)}}`) as Record<string, unknown>;
      return [id, username, domain, acct_key, invalid_handle, acct, told];
    });
    const without = (id: string): unknown[] => [
      ...[id, id, 'far.example', `${id}@handle.invalid`, true, `${id}@handle.invalid`, true],
    ];
    expect(names).to.have.deep.members([
      without(ALICE),
      without(BOB),
      [CAROL, 'alice', 'far.example', 'alice@far.example', false, 'alice@far.example', undefined],
    ]);
  });

  it('counts reblogs as posts, while their original exists', async function () {
    this.timeout(60_000);
    const { account_stats: stats, account_reblogs: reblogs } = await project(db, accounts, [
      posted(POST),
      posted(OTHER),
      reblogged(BOB, POST),
      reblogged(CAROL, POST),
      unreblogged(CAROL, POST),
      reblogged(CAROL, POST),
      reblogged(BOB, OTHER),
      deleted(POST),
      reblogged(CAROL, OTHER),
    ]);
    const counts = stats?.map(({ account_id, statuses_count }) => [account_id, statuses_count]);
    expect(counts).to.have.deep.members([
      [ALICE, 1],
      [BOB, 1],
      [CAROL, 1],
    ]);
    expect(reblogs).to.have.length(2);
  });

  it('knows the account that another one has moved to', async function () {
    this.timeout(60_000);
    const { accounts: rows } = await project(db, accounts, [
      created(ALICE, 'alice'),
      created(BOB, 'bob'),
      moved(ALICE, BOB),
      moved(BOB, CAROL),
      moved(ALICE, CAROL),
      { type: 'AccountMoveCancelled', data: { account_id: BOB } },
      created(CAROL, 'carol'),
      moved(CAROL, ALICE),
      moved(CAROL, BOB, false),
    ]);
    const shown = rows?.map((row) => [row['username'], row['moved_to'], row['moved_with_followers']]);
    expect(shown).to.have.deep.members([
      ['alice', CAROL, true],
      ['bob', null, false],
      ['carol', BOB, false],
    ]);
  });

  it('shows a link as verified while its field contains it, and nothing of an erased user', async function () {
    this.timeout(60_000);
    const [site, other] = ['https://alice.example/', 'https://other.example/'];
    const fields = (id: string, ...values: string[]): DomainEvent => ({
      type: 'AccountUpdated',
      data: { id, fields: values.map((value) => ({ name: 'Web', value, html: value, verified_at: null })) },
    });
    const verified = (account_id: string, value: string): DomainEvent => ({
      type: 'AccountLinkVerified',
      data: { account_id, value, verified_at: NOW },
    });
    const { accounts: rows } = await project(db, accounts, [
      created(ALICE, 'alice'),
      created(BOB, 'bob'),
      created(CAROL, 'carol'),
      fields(ALICE, other, site, ''),
      fields(BOB, site),
      fields(CAROL, site),
      verified(ALICE, site),
      verified(BOB, site),
      verified(ALICE, other),
      // In the erased log the link is a text without anything in it.
      verified(ALICE, ''),
      verified(CAROL, site),
      fields(BOB, other),
      { type: 'PersonalDataErased', data: { account_id: CAROL } },
    ]);
    const shown = (id: string): unknown[] => {
      const { body = '', profile = '{}' } = rows?.find((row) => row['id'] === id) as Record<string, string>;
      const parts = JSON.parse(profile) as { fields: { value: string; verified_at: string | null }[] };
      const inBody = /"fields":(\[.*?\])/.exec(body)?.[1] ?? '[]';
      expect(
        (JSON.parse(inBody) as { verified_at: string }[]).map(({ verified_at }) => verified_at),
      ).to.deep.equal(parts.fields.map(({ verified_at }) => verified_at));
      return parts.fields.map(({ value, verified_at }) => [value, verified_at]);
    };
    expect(shown(ALICE)).to.deep.equal([
      [other, NOW],
      [site, NOW],
      ['', null],
    ]);
    expect(shown(BOB)).to.deep.equal([[other, null]]);
    expect(shown(CAROL)).to.deep.equal([]);
  });
});
