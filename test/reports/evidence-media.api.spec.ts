import { expect } from 'chai';
import type { AdminReport, MediaAttachment, Report, Status } from '../../queries/entities/schemas/index.ts';
import { unattachedMedia } from '../../queries/media/index.ts';
import { timeAfter } from '../../src/kernel/time.ts';
import { ok as answered, startTown, type Answer, type Person, type Town } from '../support/people.ts';
import { picture, uploadForm } from '../support/uploads.ts';

describe('media of what was reported', () => {
  let town: Town;
  let alice: Person;
  let bob: Person;
  let mod: Person;
  before(async function () {
    this.timeout(120_000);
    town = await startTown();
    alice = await town.person('alice');
    bob = await town.person('bob');
    mod = await town.staff('mod', 'Moderator');
  });
  after(() => town.close());

  const ok = async <Json>(answer: Promise<Answer<Json>>): Promise<Json> => {
    const json = await answered(answer);
    await town.settle();
    return json;
  };
  const postPicture = async (width: number): Promise<{ status: Status; media: MediaAttachment }> => {
    const form = uploadForm(await picture(width, 30));
    const media = await ok(bob.post<MediaAttachment>('/api/v2/media', form));
    const status = await ok(bob.post<Status>('/api/v1/statuses', { status: 'look', media_ids: [media.id] }));
    return { status, media };
  };
  const report = (status: Status): Promise<Report> =>
    ok(alice.post<Report>('/api/v1/reports', { account_id: bob.id, status_ids: [status.id] }));
  /** What would be removed in a week. */
  const forgotten = async (): Promise<string[]> =>
    (await unattachedMedia(town.app.db, timeAfter(new Date().toISOString(), 7 * 86_400_000), [])).ids;

  it('stays until the report is resolved, whatever its owner does', async () => {
    const { status, media } = await postPicture(40);
    const filed = await report(status);
    await ok(bob.delete(`/api/v1/statuses/${status.id}?delete_media=true`));
    expect((await bob.delete(`/api/v1/media/${media.id}`)).status).to.equal(200);
    await town.settle();
    expect(await forgotten()).to.deep.equal([]);
    const seen = await ok(mod.get<AdminReport>(`/api/v1/admin/reports/${filed.id}`));
    expect(seen.statuses[0]?.media_attachments.map(({ id, url }) => ({ id, url }))).to.deep.equal([
      { id: media.id, url: media.url },
    ]);
    await ok(mod.post(`/api/v1/admin/reports/${filed.id}/resolve`));
    expect(await forgotten()).to.deep.equal([media.id]);
    expect((await bob.delete(`/api/v1/media/${media.id}`)).status).to.equal(200);
    await town.settle();
    expect(await forgotten()).to.deep.equal([]);
  });

  it('goes as ever where nobody reported it, and only by its owner', async () => {
    const [{ status, media }, kept] = [await postPicture(50), await postPicture(60)];
    await ok(bob.delete(`/api/v1/statuses/${status.id}?delete_media=true`));
    expect((await bob.get(`/api/v1/media/${media.id}`)).status).to.equal(404);
    await report(kept.status);
    expect((await alice.delete(`/api/v1/media/${kept.media.id}`)).status).to.equal(404);
    expect((await bob.delete(`/api/v1/media/${kept.media.id}`)).status).to.equal(422);
  });
});
