import { timeAfter } from '#kernel/time.ts';
import type { MediaAttachment, Report, Status } from '#mastodon/schemas/index.ts';
import { unattachedMedia } from '#queries/media/index.ts';
import {
  type Answer,
  type Client,
  ok as answered,
  type Person,
  startTown,
  type Town,
} from '../support/people.ts';
import { picture, uploadForm } from '../support/uploads.ts';

interface Scene {
  town: Town;
  /** The user who reports. */
  alice: Person;
  /** The user whose posts are reported. */
  bob: Person;
}

/** Starts a town with a user who reports, a user who posts, and staff. */
export async function startReporting(): Promise<Scene & { mod: Person; owner: Person }> {
  const town = await startTown();
  return {
    town,
    alice: await town.person('alice'),
    bob: await town.person('bob'),
    mod: await town.staff('mod', 'Moderator'),
    owner: await town.staff('owner', 'Owner'),
  };
}

/**
 * The actions of a scene, which starts after the functions are made. Each waits until the read models contain
 * it.
 */
export function reportingIn(scene: () => Scene) {
  const ok = async <Json>(answer: Promise<Answer<Json>>): Promise<Json> => {
    const json = await answered(answer);
    await scene().town.waitUntilIdle();
    return json;
  };
  const post = (who: Client, body: object): Promise<Status> => ok(who.post<Status>('/api/v1/statuses', body));
  const postPicture = async (width: number): Promise<{ status: Status; media: MediaAttachment }> => {
    const { bob } = scene();
    const form = uploadForm(await picture(width, 30));
    const media = await ok(bob.post<MediaAttachment>('/api/v2/media', form));
    return { status: await post(bob, { status: 'look', media_ids: [media.id] }), media };
  };
  const report = (...statuses: Status[]): Promise<Report> => {
    const { alice, bob } = scene();
    const about = { account_id: bob.id, status_ids: statuses.map(({ id }) => id) };
    return ok(alice.post<Report>('/api/v1/reports', about));
  };
  /** Returns the uploads that the clean-up would remove at a moment, and the time of its next run. */
  const removal = (now: string): ReturnType<typeof unattachedMedia> =>
    unattachedMedia(scene().town.app.db, { now, keptFor: 86_400_000, except: [] });
  const forgotten = async (days: number): Promise<string[]> =>
    (await removal(timeAfter(new Date().toISOString(), days * 86_400_000))).ids;
  const fileAt = async (url: string | null | undefined): Promise<number> =>
    (await fetch(new URL(new URL(url!).pathname, scene().town.url))).status;
  return { ok, post, postPicture, report, removal, forgotten, fileAt };
}
