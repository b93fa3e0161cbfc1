import { expect } from 'chai';
import type { AdminReport, Report, Status } from '#mastodon/schemas/index.ts';
import type { Person, Town } from '../support/people.ts';
import { reportingIn, startReporting } from './support.ts';

describe('Reported statuses', () => {
  let town: Town;
  let alice: Person;
  let bob: Person;
  let mod: Person;
  before(async function () {
    this.timeout(120_000);
    ({ town, alice, bob, mod } = await startReporting());
  });
  after(() => town.close());

  const { ok, post, report } = reportingIn(() => ({ town, alice, bob }));
  const seen = ({ id }: Report): Promise<AdminReport> => ok(mod.get(`/api/v1/admin/reports/${id}`));

  it('remain as evidence when their author deletes them', async () => {
    const status = await post(bob, { status: 'Take this', spoiler_text: 'eggs' });
    const filed = await report(status);
    await ok(bob.delete(`/api/v1/statuses/${status.id}`));
    for (const reader of [alice, bob, mod, town.nobody]) {
      expect((await reader.get(`/api/v1/statuses/${status.id}`)).status).to.equal(404);
    }
    const [evidence] = (await seen(filed)).statuses;
    expect(evidence).to.include({ id: status.id, content: status.content, spoiler_text: 'eggs' });
    // The list shows the same.
    const listed = await ok(mod.get<AdminReport[]>(`/api/v1/admin/reports?account_id=${alice.id}`));
    expect(listed.find(({ id }) => id === filed.id)?.statuses[0]?.content).to.equal(status.content);
  });

  it('remain as evidence when their author edits them, and then deletes them', async () => {
    const status = await post(bob, { status: 'Rotten thing' });
    await ok(bob.put(`/api/v1/statuses/${status.id}`, { status: 'Awful thing', spoiler_text: 'mind' }));
    const filed = await report(status);
    await ok(bob.put(`/api/v1/statuses/${status.id}`, { status: 'Nice thing' }));
    const [edited] = (await seen(filed)).statuses;
    expect(edited).to.deep.include({ content: '<p>Awful thing</p>', spoiler_text: 'mind' });
    expect(edited?.edited_at).to.be.a('string');
    await ok(bob.delete(`/api/v1/statuses/${status.id}`));
    expect((await seen(filed)).statuses[0]).to.deep.equal({
      ...edited,
      account: (await seen(filed)).target_account.account,
    });
    // The report precedes any edit.
    const other = await post(bob, { status: 'First' });
    const early = await report(other);
    await ok(bob.put(`/api/v1/statuses/${other.id}`, { status: 'Second' }));
    expect((await seen(early)).statuses[0]).to.deep.include({ content: '<p>First</p>', edited_at: null });
    expect((await ok(bob.get<Status>(`/api/v1/statuses/${other.id}`))).content).to.equal('<p>Second</p>');
  });

  it('remain as evidence when they were not visible to staff', async () => {
    const status = await post(bob, { status: '@alice come here', visibility: 'direct' });
    expect((await mod.get(`/api/v1/statuses/${status.id}`)).status).to.equal(404);
    const filed = await report(status);
    expect((await seen(filed)).statuses[0]).to.include({ id: status.id, visibility: 'direct' });
    expect((await mod.get(`/api/v1/statuses/${status.id}`)).status).to.equal(404);
  });

  it('can be reported after their deletion, by accounts that could see them', async () => {
    const [open, direct] = [
      await post(bob, { status: 'Gone soon' }),
      await post(bob, { status: '@alice gone soon', visibility: 'direct' }),
    ];
    for (const { id } of [open, direct]) await ok(bob.delete(`/api/v1/statuses/${id}`));
    const filed = await report(open, direct);
    expect((await seen(filed)).statuses.map(({ content }) => content)).to.deep.equal([
      open.content,
      direct.content,
    ]);
    const stranger = await town.person('stranger');
    const refused = await stranger.post('/api/v1/reports', { account_id: bob.id, status_ids: [direct.id] });
    expect(refused.status).to.equal(404);
  });

  it('include reblogs, with the reblogged posts', async () => {
    const original = await post(alice, { status: 'Mine' });
    const reblog = await ok(bob.post<Status>(`/api/v1/statuses/${original.id}/reblog`));
    const filed = await report(reblog);
    await ok(bob.post(`/api/v1/statuses/${original.id}/unreblog`));
    await ok(alice.delete(`/api/v1/statuses/${original.id}`));
    const [evidence] = (await seen(filed)).statuses;
    expect(evidence?.id).to.equal(reblog.id);
    expect(evidence?.reblog?.content).to.equal(original.content);
  });

  it('cause no error for accounts that interacted with them', async () => {
    const status = await post(bob, { status: 'Marked' });
    for (const mark of ['bookmark', 'favourite', 'reblog'])
      await ok(alice.post(`/api/v1/statuses/${status.id}/${mark}`));
    await report(status);
    await ok(bob.delete(`/api/v1/statuses/${status.id}`));
    for (const path of ['/api/v1/bookmarks', '/api/v1/favourites', '/api/v1/timelines/home']) {
      const listed = await ok(alice.get<Status[]>(path));
      expect(listed.map(({ id }) => id)).not.to.include(status.id);
    }
    for (const undo of ['unbookmark', 'unfavourite', 'unreblog', 'bookmark', 'favourite']) {
      expect((await alice.post(`/api/v1/statuses/${status.id}/${undo}`)).status, undo).to.equal(404);
    }
  });
});
