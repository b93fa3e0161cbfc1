import { expect } from 'chai';
import { claimMedia } from '#commands/media/index.ts';
import { type ScheduledStatus as Scheduled, scheduledStatus } from '#commands/scheduled-statuses/index.ts';
import { createPost } from '#commands/statuses/index.ts';
import { mediaStream } from '#events/media.ts';
import { type ScheduledStatusEvent, scheduledStatusStream } from '#events/scheduled-statuses.ts';
import type { ScheduledStatus, Status } from '#mastodon/schemas/index.ts';
import { endingAt, hurryJobs } from '../support/broken-off.ts';
import { eventually } from '../support/eventually.ts';
import { failureOf } from '../support/failure.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { picture, uploadForm } from '../support/uploads.ts';

const LATER = new Date(Date.now() + 3_600_000).toISOString();

describeTown('Uploads whose post never comes', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let image: Buffer;
  before(async () => {
    alice = await town.person('alice');
    image = await picture(64, 48);
  });

  const upload = async (): Promise<string> =>
    (await ok(alice.post<{ id: string }>('/api/v1/media', uploadForm(image)))).id;
  const uses = async (id: string): Promise<string[]> =>
    (await town.app.log.readStream(mediaStream(id)))
      .map(({ type }) => type)
      .filter((type) => type === 'MediaAttached' || type === 'MediaDetached');
  const expectFree = (id: string): Promise<void> =>
    eventually(async () => void expect((await uses(id)).at(-1)).equal('MediaDetached'));
  const aDayLater = (): Promise<number> => hurryJobs(town, 'unused-uploads');
  const schedule = (...ids: string[]): Promise<ScheduledStatus> =>
    ok(
      alice.post<ScheduledStatus>('/api/v1/statuses', {
        status: 'later',
        media_ids: ids,
        scheduled_at: LATER,
      }),
    );
  /** Appends to a scheduled post what a command appends first; the process ends there. */
  const appendAlone = async (
    id: string,
    decide: (state: Scheduled) => ScheduledStatusEvent[],
  ): Promise<void> => {
    await town.app.systemContext('spec').execute(scheduledStatusStream(id), scheduledStatus, decide);
  };

  it('are free a day after the process died between their claim and the post', async () => {
    const id = await upload();
    const ctx = town.app.systemContext('spec');
    const author = { id: alice.id, username: 'alice', applicationId: null };
    const post = { id: ctx.newId(), pollId: ctx.newId(), input: { status: 'never', media_ids: [id] } };
    expect(await failureOf(createPost(endingAt(ctx, 1), author, post))).equal('killed');
    expect(await uses(id)).deep.equal(['MediaAttached']);
    expect(await aDayLater()).equal(1);
    expect(await uses(id)).deep.equal(['MediaAttached', 'MediaDetached']);
    const { media_attachments } = await ok(
      alice.post<Status>('/api/v1/statuses', { status: 'now', media_ids: [id] }),
    );
    expect(media_attachments.map((each) => each.id)).deep.equal([id]);
  });

  it('are free a day after an edit that never added them', async () => {
    const [kept, id] = [await upload(), await upload()];
    const { id: statusId } = await ok(
      alice.post<Status>('/api/v1/statuses', { status: 'one', media_ids: [kept] }),
    );
    const ctx = town.app.systemContext('spec');
    const owner = Object.assign(endingAt(ctx, 9), { viewer: { account_id: alice.id } });
    await claimMedia(owner, [kept, id], statusId);
    await aDayLater();
    expect([await uses(kept), await uses(id)]).deep.equal([
      ['MediaAttached'],
      ['MediaAttached', 'MediaDetached'],
    ]);
  });

  it('stay with posts and scheduled posts that did come', async () => {
    const [posted, scheduled] = [await upload(), await upload()];
    await ok(alice.post('/api/v1/statuses', { status: 'here', media_ids: [posted] }));
    await schedule(scheduled);
    expect(await aDayLater()).equal(2);
    expect([await uses(posted), await uses(scheduled)]).deep.equal([['MediaAttached'], ['MediaAttached']]);
  });

  it('are free after the cancellation of a scheduled post whose process died', async () => {
    const id = await upload();
    const scheduled = await schedule(id);
    const data = { id: scheduled.id, account_id: alice.id };
    await appendAlone(scheduled.id, () => [{ type: 'ScheduledStatusCancelled', data }]);
    await expectFree(id);
  });

  it('are free when a scheduled post drops them and its process dies', async () => {
    const [kept, id] = [await upload(), await upload()];
    const scheduled = await schedule(kept, id);
    await appendAlone(scheduled.id, (state) => {
      const media = state.state === 'waiting' ? state.data.media.filter((each) => each.id === kept) : [];
      return [
        { type: 'ScheduledStatusMediaEdited', data: { id: scheduled.id, account_id: alice.id, media } },
      ];
    });
    await expectFree(id);
    expect(await uses(kept)).deep.equal(['MediaAttached']);
  });

  it('are free after the failure of a scheduled post, also those that its post had claimed', async () => {
    const [waiting, claimed] = [await upload(), await upload()];
    const scheduled = await schedule(waiting, claimed);
    const ctx = town.app.systemContext('spec');
    const of = { id: scheduled.id, account_id: alice.id, status_id: ctx.newId() };
    const owner = Object.assign(endingAt(ctx, 1), { viewer: { account_id: alice.id } });
    await claimMedia(owner, [claimed], of.status_id, { from: scheduled.id });
    await appendAlone(scheduled.id, () => [
      { type: 'ScheduledStatusPublished', data: { ...of, poll_id: ctx.newId(), published_at: ctx.now } },
      { type: 'ScheduledStatusFailed', data: { ...of, reason: 'The author may not post' } },
    ]);
    await expectFree(waiting);
    await expectFree(claimed);
  });
});
