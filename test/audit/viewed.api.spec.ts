import { expect } from 'chai';
import { endpoints } from '#app/routes.ts';
import { decideView } from '#commands/admin/audit/view.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

const AUDIT = '/api/v1/admin/audit';

describeTown('Reading the audit log', function (town) {
  this.timeout(60_000);
  let boss: Person;
  let mod: Person;
  before(async function () {
    this.timeout(120_000);
    boss = await town.staff('boss', 'Owner');
    mod = await town.staff('mod', 'Moderator');
    await town.waitUntilIdle();
  });

  const get = async (who: Person, query: string): Promise<AuditEntry[]> => {
    const { status, json } = await who.get<AuditEntry[]>(`${AUDIT}${query}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const views = async (by: Person): Promise<AuditEntry[]> => {
    // `boss` reads the entries, so this reading is not among those of `by`.
    await town.waitUntilIdle();
    return get(boss, `?action[]=audit_log.viewed&actor=${by.id}&limit=200`);
  };
  const filtersOf = (entries: AuditEntry[]): unknown[] =>
    entries.map(({ changes }) => Object.fromEntries(changes.map(({ field, after }) => [field, after])));

  it('is recorded with user, time, app and filter before the reply', async () => {
    const [own] = await get(mod, `?actor=&action[]=account.warned&action[]=account.silenced`);
    expect(own, 'the filter leaves nothing').to.equal(undefined);
    const [line, ...others] = await views(mod);
    expect(others).to.deep.equal([]);
    expect(line?.actor).to.deep.equal({
      kind: 'user',
      role: 'Moderator',
      name: null,
      account: { id: mod.id, acct: 'mod' },
    });
    expect(line?.application?.name).to.equal('tests');
    expect(line?.targets).to.deep.equal([{ type: 'audit_log', id: null, name: null }]);
    expect(Date.parse(line?.created_at ?? '')).to.be.closeTo(Date.now(), 60_000);
    expect(filtersOf([line!])).to.deep.equal([{ action: 'account.silenced,account.warned' }]);
  });

  it('is recorded once for all pages of a filter and for repeated requests', async () => {
    const before = (await views(mod)).length;
    for (let page = 0; page < 5; page += 1) {
      await get(mod, `?domain=far.example&limit=1&max_id=${9_000 - page}`);
      await get(mod, `?limit=2&since_id=${page}&domain=far.example`);
    }
    const after = await views(mod);
    expect(after).to.have.length(before + 1);
    expect(filtersOf(after.slice(0, 1))).to.deep.equal([{ domain: 'far.example' }]);
  });

  it('is recorded for a single entry as well', async () => {
    const [{ id }] = (await views(mod)) as [AuditEntry];
    expect((await mod.get(`${AUDIT}/${id}`)).status).to.equal(200);
    expect(filtersOf((await views(mod)).slice(0, 1))).to.deep.equal([{ id }]);
  });

  it('is not recorded for accounts without permission', async () => {
    const alice = await town.person('alice');
    expect((await alice.get(AUDIT)).status).to.equal(403);
    expect(await views(alice)).to.deep.equal([]);
  });

  it('records at most fifty filters, and marks that there were more', async () => {
    const eager = await town.staff('eager', 'Moderator');
    for (let n = 0; n < 60; n += 1) await get(eager, `?target=${n}`);
    const lines = await views(eager);
    expect(lines).to.have.length(50);
    expect(filtersOf(lines.slice(0, 2))).to.deep.equal([{ target: '49', more: true }, { target: '48' }]);
  });

  it('is recorded once per filter', () => {
    const data = { account_id: '1', filter: { domain: 'far.example' } };
    const [event] = decideView(new Set(), data);
    expect(event?.data).to.deep.equal({ ...data, more: false });
    expect(decideView(new Set([JSON.stringify(data.filter)]), data)).to.deep.equal([]);
  });

  it('is recorded at every endpoint that shows entries', () => {
    const showing = endpoints.filter(
      ({ method, path }) => method === 'GET' && /^\/api\/v1\/admin\/audit(?:\/:id)?$/.test(path),
    );
    expect(showing.map(({ recorded }) => recorded)).to.deep.equal([true, true]);
    // Proofs contain hashes, not the content of entries; an export is an event itself; apps are no entries.
    const others = endpoints.filter(
      ({ permission, recorded }) => permission === 'view_audit_log' && recorded !== true,
    );
    expect(others.map(({ path }) => path).sort()).to.deep.equal([
      '/api/v1/admin/audit/applications',
      '/api/v1/admin/audit/checkpoints',
      '/api/v1/admin/audit/checkpoints/:size',
      '/api/v1/admin/audit/checkpoints/compare',
      '/api/v1/admin/audit/consistency',
      '/api/v1/admin/audit/proof',
      '/api/v1/admin/audit/witnesses',
      '/api/v1/admin/audit_export',
    ]);
  });
});
