import { expect } from 'chai';
import { appealableUntil } from '#events/appeals.ts';
import { timeAfter } from '#kernel/time.ts';
import type {
  AdminAppeal,
  AdminReport,
  MediaAttachment,
  Report,
  Status,
  Strike,
} from '#mastodon/schemas/index.ts';
import { removeForgotten } from '#reactors/media.ts';
import { moderationBy } from '../admin-accounts/support.ts';
import type { Person, Town } from '../support/people.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { reportingIn, startReporting } from './support.ts';

describe('The media of reported posts', () => {
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

  const { ok, postPicture, report, removal, forgotten, fileAt } = reportingIn(() => ({ town, alice, bob }));
  const daysFrom = (moment: string, days: number): string => timeAfter(moment, days * 86_400_000);
  /** A post with a picture, whose author was limited by staff and deleted it. */
  const struck = async (
    width: number,
  ): Promise<{ status: Status; media: MediaAttachment; strike: Strike }> => {
    const { status, media } = await postPicture(width);
    const { id: report_id } = await report(status);
    await moderationBy(mod).act(bob, 'silence', { report_id });
    await ok(bob.delete(`/api/v1/statuses/${status.id}?delete_media=true`));
    const [strike] = await ok(bob.get<Strike[]>('/api/v1/strikes?limit=1'));
    return { status, media, strike: strike! };
  };

  it('stay until the report is resolved, whatever their owner does', async () => {
    const { status, media } = await postPicture(40);
    const filed = await report(status);
    await ok(bob.delete(`/api/v1/statuses/${status.id}?delete_media=true`));
    expect((await bob.delete(`/api/v1/media/${media.id}`)).status).to.equal(200);
    await town.waitUntilIdle();
    expect(await forgotten(7)).to.deep.equal([]);
    const seen = await ok(mod.get<AdminReport>(`/api/v1/admin/reports/${filed.id}`));
    expect(seen.statuses[0]?.media_attachments.map(({ id, url }) => ({ id, url }))).to.deep.equal([
      { id: media.id, url: media.url },
    ]);
    await ok(mod.post(`/api/v1/admin/reports/${filed.id}/resolve`));
    expect(await forgotten(7)).to.deep.equal([media.id]);
    expect((await bob.delete(`/api/v1/media/${media.id}`)).status).to.equal(200);
    await town.waitUntilIdle();
    expect(await forgotten(7)).to.deep.equal([]);
  });

  it('stay as long as the resulting strike may be appealed', async () => {
    const { media, strike } = await struck(70);
    const last = appealableUntil(strike.created_at);
    expect((await removal(last)).ids).to.deep.equal([]);
    expect((await removal(daysFrom(strike.created_at, 2))).next).to.equal(timeAfter(last, 1));
    expect((await removal(timeAfter(last, 1))).ids).to.deep.equal([media.id]);
    expect((await bob.delete(`/api/v1/media/${media.id}`)).status).to.equal(200);
    await town.waitUntilIdle();
    expect(await fileAt(media.url)).to.equal(200);
    await moderationBy(mod).does(bob, 'unsilence');
    await removeForgotten.fire(town.app.systemContext('media-removal'), { key: media.id });
    expect(await fileAt(media.url)).to.equal(404);
  });

  it('are visible to the judge of the appeal and to the appellant, and are removed after the decision', async () => {
    for (const verdict of ['approve', 'reject', undefined]) {
      const { media, strike } = await struck(71);
      const path = `/api/v1/strikes/${strike.id}/appeal`;
      await ok(bob.post(path, { text: 'A nice picture' }));
      const [appeal] = await ok(owner.get<AdminAppeal[]>('/api/v1/admin/appeals?limit=1'));
      expect(appeal?.statuses[0]?.media_attachments.map(({ id }) => id)).to.deep.equal([media.id]);
      expect(await fileAt(media.url)).to.equal(200);
      expect(await forgotten(300), 'as long as it waits').to.deep.equal([]);
      await ok(verdict ? owner.post(`/api/v1/admin/appeals/${appeal?.id}/${verdict}`) : bob.delete(path));
      expect(await forgotten(7)).to.deep.equal([media.id]);
      await removeForgotten.fire(town.app.systemContext('media-removal'), { key: media.id });
      await town.waitUntilIdle();
      if (verdict !== 'approve') await moderationBy(mod).does(bob, 'unsilence');
    }
  });

  it('are removed at once when the user is erased', async () => {
    const carol = await town.person('carol');
    const form = uploadForm(await picture(80, 30));
    const media = await ok(carol.post<MediaAttachment>('/api/v2/media', form));
    const post = { status: 'look', media_ids: [media.id] };
    const status = await ok(carol.post<Status>('/api/v1/statuses', post));
    const about = { account_id: carol.id, status_ids: [status.id] };
    const { id: report_id } = await ok(alice.post<Report>('/api/v1/reports', about));
    await moderationBy(mod).act(carol, 'suspend', { report_id });
    await town.waitUntilIdle();
    expect(await fileAt(media.url)).to.equal(200);
    await ok(owner.delete(`/api/v1/admin/accounts/${carol.id}`));
    expect(await fileAt(media.url)).to.equal(404);
  });

  it('are removed as usual without a report, and only by their owner', async () => {
    const [{ status, media }, kept] = [await postPicture(50), await postPicture(60)];
    await ok(bob.delete(`/api/v1/statuses/${status.id}?delete_media=true`));
    expect((await bob.get(`/api/v1/media/${media.id}`)).status).to.equal(404);
    await report(kept.status);
    expect((await alice.delete(`/api/v1/media/${kept.media.id}`)).status).to.equal(404);
    expect((await bob.delete(`/api/v1/media/${kept.media.id}`)).status).to.equal(422);
  });
});
