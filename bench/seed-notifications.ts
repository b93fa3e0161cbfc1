import type { App } from '#app/app.ts';
import { interaction } from '#commands/statuses/interaction.ts';
import { decideFavourite } from '#commands/statuses/mark.ts';
import { interactionStream } from '#events/interactions.ts';

/**
 * For one reader: their posts, the favourites of each, and the posts between them that mention the reader.
 */
const POSTS = 30;
const FAVOURITES = 40;
const MENTIONS = 3;

export interface NotificationSeed {
  readerId: string;
  accountIds: readonly string[];
  /** Posts as the reader. @returns the id */
  post: () => Promise<string>;
  /** Mentions the reader. */
  mention: () => Promise<unknown>;
}

/** Gives a reader notifications of both kinds: those that make groups, and those that stand alone. */
export async function seedNotifications(
  app: App,
  { readerId, accountIds, post, mention }: NotificationSeed,
): Promise<void> {
  for (let n = 0; n < POSTS; n += 1) {
    const statusId = await post();
    const favouriting = accountIds.slice(0, FAVOURITES);
    await Promise.all(favouriting.map((accountId) => favourite(app, accountId, statusId, readerId)));
    for (let m = 0; m < MENTIONS; m += 1) await mention();
  }
}

async function favourite(app: App, account_id: string, status_id: string, authorId: string): Promise<void> {
  const ctx = app.systemContext('bench');
  const target = { account_id, status_id, status_account_id: authorId };
  await ctx.execute(interactionStream(account_id, status_id), interaction, (state) =>
    decideFavourite(state, target, ctx.newId()),
  );
}
