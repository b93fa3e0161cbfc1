import { createHash } from 'node:crypto';
import { createAccount } from '#commands/accounts/index.ts';
import { createAnnouncement } from '#commands/announcements/index.ts';
import { askForReviews } from '#commands/trends/index.ts';
import { tagId } from '#mastodon/tag-name.ts';
import { storeRanking } from '#reactors/stored-rankings.ts';
import type { Town } from '../support/people.ts';
import { giveCard } from '../timelines/support.ts';

/** Asks staff to review a hashtag. */
export async function tagToReview(town: Town, tag: string): Promise<{ id: string }> {
  await askForReviews(town.app.systemContext('spec'), [{ subject: 'tag', key: tag, name: tag }]);
  await town.waitUntilIdle();
  return { id: tagId(tag) };
}

/** Lets a link of a post trend. */
export async function linkToReview(
  town: Town,
  statusId: string,
  host: string,
): Promise<{ link: string; publisher: string }> {
  const url = `https://${host}/`;
  await giveCard(town, statusId, url);
  await town.waitUntilIdle();
  const key = createHash('sha256').update(url).digest('hex');
  await storeRanking(town.app.db, 'links', { keys: [key], now: new Date().toISOString() });
  return { link: tagId(url), publisher: tagId(host) };
}

export const announcementIn = (town: Town, draft: boolean): Promise<string> => {
  const times = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null };
  return createAnnouncement(town.app.systemContext('spec'), { text: 'We move', ...times }, { draft });
};

/** Creates a pending sign-up. */
export async function applicantIn(town: Town, username: string): Promise<{ username: string; id: string }> {
  const id = await createAccount(town.app.systemContext('spec'), {
    username,
    email: `${username}@example.org`,
    password: 'correct horse',
    locale: 'en',
    confirmed: false,
    approved: false,
    role: null,
    reason: 'Hm',
    applicationId: null,
    signUpIp: null,
  });
  await town.waitUntilIdle();
  return { username, id };
}
