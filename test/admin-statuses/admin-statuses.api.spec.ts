import { expect } from 'chai';
import { appealableUntil } from '#events/appeals.ts';
import { timeAfter } from '#kernel/time.ts';
import type {
  AdminAppeal,
  AdminReport,
  AuditEntry,
  Report,
  Status,
  Strike,
} from '#mastodon/schemas/index.ts';
import { reportingIn, startReporting } from '../reports/support.ts';
import { rookeryBeside } from '../support/command-line.ts';
import type { Person, Town } from '../support/people.ts';

describe('Moderating single posts', () => {
  let town: Town;
  let alice: Person;
  let bob: Person;
  let mod: Person;
  let owner: Person;
  before(async function () {
    this.timeout(120_000);
    ({ town, alice, bob, mod, owner } = await startReporting());
  });
  after(() => town.close());

  const {
    ok,
    post: write,
    postPicture,
    report,
    removal,
    forgotten,
    fileAt,
  } = reportingIn(() => ({ town, alice, bob }));
  const post = (body: object = {}): Promise<Status> => write(bob, { status: 'look', ...body });
  const newestStrike = async (): Promise<Strike> =>
    (await ok(bob.get<Strike[]>('/api/v1/strikes?limit=1')))[0] as Strike;
  const seen = async (id: string, by: Person = alice): Promise<number> =>
    (await by.get(`/api/v1/statuses/${id}`)).status;
  const sensitive = async (id: string): Promise<boolean> =>
    (await ok(alice.get<Status>(`/api/v1/statuses/${id}`))).sensitive;
  const audited = async (action: string): Promise<AuditEntry[]> =>
    ok(owner.get<AuditEntry[]>(`/api/v1/admin/audit?action=${action}`));

  it('deletes a post by its id, with a strike and an entry in the audit log', async () => {
    const status = await post();
    expect(
      await ok(mod.post(`/api/v1/admin/statuses/${status.id}/delete`, { text: 'No ads' })),
    ).to.deep.equal({});
    for (const person of [alice, bob]) expect(await seen(status.id, person)).to.equal(404);
    const strike = await newestStrike();
    expect(strike).to.deep.include({ action: 'delete_statuses', text: 'No ads', status_ids: [status.id] });
    const [line, ...more] = await audited('status.deleted');
    expect(more).to.deep.equal([]);
    expect(line?.targets.map(({ type, id }) => [type, id])).to.deep.include.members([
      ['status', status.id],
      ['strike', strike.id],
    ]);
  });

  it('notifies the author', async () => {
    const [notification] = await ok(
      bob.get<{ type: string; moderation_warning: { action: string } }[]>('/api/v1/notifications?limit=1'),
    );
    expect(notification?.moderation_warning.action).to.equal('delete_statuses');
  });

  it('deletes the media of a post immediately, and keeps it as evidence until no appeal is possible', async () => {
    const { status, media } = await postPicture(40);
    expect(await fileAt(media.url)).to.equal(200);
    await ok(mod.post(`/api/v1/admin/statuses/${status.id}/delete`));
    expect(await fileAt(media.url)).to.equal(404);
    expect(await fileAt(media.preview_url)).to.equal(404);
    expect((await bob.get(`/api/v1/media/${media.id}`)).status).to.equal(404);
    const again = { status: 'again', media_ids: [media.id] };
    expect((await bob.post('/api/v1/statuses', again)).status).to.equal(422);

    const strike = await newestStrike();
    await ok(bob.post(`/api/v1/strikes/${strike.id}/appeal`, { text: 'A nice picture' }));
    const [appeal] = await ok(owner.get<AdminAppeal[]>('/api/v1/admin/appeals?limit=1'));
    const [evidence] = appeal?.statuses[0]?.media_attachments ?? [];
    expect(evidence?.id).to.equal(media.id);
    expect(evidence?.url).not.to.equal(media.url);
    expect(await fileAt(evidence?.url)).to.equal(200);
    expect(await forgotten(300), 'while the appeal is pending').to.deep.equal([]);
    await ok(owner.post(`/api/v1/admin/appeals/${appeal?.id}/reject`));
    expect(await forgotten(2)).to.deep.equal([media.id]);
  });

  it('keeps the media of a deleted post as evidence while the strike can be appealed', async () => {
    const { status, media } = await postPicture(41);
    await ok(mod.post(`/api/v1/admin/statuses/${status.id}/delete`));
    const last = appealableUntil((await newestStrike()).created_at);
    expect((await removal(last)).ids).not.to.include(media.id);
    const after = await removal(timeAfter(last, 1));
    expect(after.ids).to.include(media.id);
  });

  it('deletes all posts of a report and resolves it', async () => {
    const [one, other] = [await post(), await postPicture(42)];
    const { id } = await report(one, other.status);
    await ok(mod.post(`/api/v1/admin/reports/${id}/action`, { type: 'delete' }));
    for (const status of [one, other.status]) expect(await seen(status.id)).to.equal(404);
    const handled = await ok(mod.get<AdminReport>(`/api/v1/admin/reports/${id}`));
    expect(handled.action_taken).to.equal(true);
    const [evidence] = handled.statuses.find((each) => each.id === other.status.id)?.media_attachments ?? [];
    expect(evidence?.url).not.to.equal(other.media.url);
    expect(await fileAt(evidence?.url)).to.equal(200);
    expect((await newestStrike()).status_ids).to.have.members([one.id, other.status.id]);
  });

  it('deletes media that an edit removed, and media of posts that their author deleted', async () => {
    const { status, media } = await postPicture(43);
    const { id } = await report(status);
    await ok(bob.put(`/api/v1/statuses/${status.id}`, { status: 'nothing to see' }));
    await ok(bob.delete(`/api/v1/statuses/${status.id}`));
    expect(await fileAt(media.url)).to.equal(200);
    await ok(mod.post(`/api/v1/admin/reports/${id}/action`, { type: 'delete' }));
    expect(await fileAt(media.url)).to.equal(404);
  });

  it('marks a post as sensitive until staff removes the mark, whatever its author edits', async () => {
    const { status } = await postPicture(44);
    await ok(mod.post(`/api/v1/admin/statuses/${status.id}/mark_as_sensitive`));
    expect(await sensitive(status.id)).to.equal(true);
    expect((await newestStrike()).action).to.equal('mark_statuses_as_sensitive');
    const ids = status.media_attachments.map(({ id }) => id);
    await ok(
      bob.put(`/api/v1/statuses/${status.id}`, { status: 'changed', media_ids: ids, sensitive: false }),
    );
    expect(await sensitive(status.id)).to.equal(true);
    await ok(mod.post(`/api/v1/admin/statuses/${status.id}/unmark_as_sensitive`));
    expect(await sensitive(status.id)).to.equal(false);
    expect(await audited('status.unsensitized')).to.have.length(1);
  });

  it('removes the mark with an approved appeal, unless another strike keeps it', async () => {
    const status = await post();
    const path = `/api/v1/admin/statuses/${status.id}/mark_as_sensitive`;
    const strikes: Strike[] = [];
    for (const _ of [1, 2]) {
      await ok(mod.post(path));
      strikes.push(await newestStrike());
    }
    for (const [index, strike] of strikes.entries()) {
      await ok(bob.post(`/api/v1/strikes/${strike.id}/appeal`, { text: 'Harmless' }));
      const [appeal] = await ok(owner.get<AdminAppeal[]>('/api/v1/admin/appeals?limit=1'));
      await ok(owner.post(`/api/v1/admin/appeals/${appeal?.id}/approve`));
      expect(await sensitive(status.id), `after ${index + 1}`).to.equal(index === 0);
    }
  });

  it('acts on several posts of one account, all or none', async () => {
    const [one, other] = [await post(), await post()];
    const stranger = await ok(alice.post<Status>('/api/v1/statuses', { status: 'mine' }));
    const path = `/api/v1/admin/accounts/${bob.id}/statuses/action`;
    const wrong = await mod.post(path, { type: 'delete', status_ids: [one.id, stranger.id] });
    expect(wrong.status).to.equal(404);
    expect(await seen(one.id)).to.equal(200);
    expect((await mod.post(path, { type: 'delete' })).status).to.equal(422);
    expect((await mod.post(path, { type: 'burn', status_ids: [one.id] })).status).to.equal(422);
    await ok(mod.post(path, { type: 'delete', status_ids: [one.id, other.id] }));
    for (const { id } of [one, other]) expect(await seen(id)).to.equal(404);
  });

  it('is limited to staff ranking above the author, and to existing posts', async () => {
    const status = await ok(owner.post<Status>('/api/v1/statuses', { status: 'mine' }));
    expect((await mod.post(`/api/v1/admin/statuses/${status.id}/delete`)).status).to.equal(403);
    expect((await mod.post(`/api/v1/admin/statuses/${status.id}/unmark_as_sensitive`)).status).to.equal(403);
    expect((await alice.post(`/api/v1/admin/statuses/${status.id}/delete`)).status).to.equal(403);
    expect((await mod.post('/api/v1/admin/statuses/100000000000000000/delete')).status).to.equal(404);
    const about = await ok(alice.post<Report>('/api/v1/reports', { account_id: mod.id }));
    const { id } = await post();
    const body = { report_id: about.id };
    expect((await mod.post(`/api/v1/admin/statuses/${id}/delete`, body)).status).to.equal(422);
  });

  it('has commands on the command line', async () => {
    const { id } = await post();
    expect(await rookeryBeside(town.app, 'statuses', 'sensitize', id)).to.include({ code: 0, stderr: '' });
    expect(await sensitive(id)).to.equal(true);
    expect(await rookeryBeside(town.app, 'statuses', 'unsensitize', id)).to.include({ code: 0, stderr: '' });
    expect(await sensitive(id)).to.equal(false);
    expect(await rookeryBeside(town.app, 'statuses', 'delete', id, '--text', 'No')).to.include({ code: 0 });
    expect(await seen(id)).to.equal(404);
    expect((await rookeryBeside(town.app, 'statuses', 'delete', '1')).code).to.equal(1);
  });

  it('resolves reports about an account when the operator acts against it', async () => {
    const { id } = await report();
    const resolved = async (): Promise<boolean> =>
      (await ok(mod.get<AdminReport>(`/api/v1/admin/reports/${id}`))).action_taken;
    await rookeryBeside(town.app, 'accounts', 'warn', 'bob');
    expect(await resolved()).to.equal(false);
    await rookeryBeside(town.app, 'accounts', 'silence', 'bob');
    expect(await resolved()).to.equal(true);
    await rookeryBeside(town.app, 'accounts', 'unsilence', 'bob');
  });
});
