import {
  type AnnouncementContent,
  announcementStream,
  MAX_ANNOUNCEMENT_TEXT,
} from '#events/announcements.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import { type Id, isId } from '#kernel/ids.ts';
import { isLonger } from '#mastodon/characters.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import { accountsOfHandles } from '#queries/statuses/index.ts';
import { extractHashtags, extractMentions, handleKey } from '../text/extract.ts';
import { formatStatus } from '../text/format.ts';
import { useCase } from '../use-case.ts';
import {
  announcement,
  decideCreate,
  decideDelete,
  decideDue,
  decidePublish,
  decideUnpublish,
  decideUpdate,
} from './announcement.ts';

/** The input of staff for an announcement. Times are ISO 8601 with milliseconds in UTC. */
export interface AnnouncementInput {
  text: string;
  starts_at: string | null;
  ends_at: string | null;
  all_day: boolean;
  scheduled_at: string | null;
}

/**
 * Publishes it immediately, unless it is a draft or has a time. @returns its id @throws RookeryError
 * `invalid`
 */
export async function createAnnouncement(
  ctx: CommandContext,
  { text, ...times }: AnnouncementInput,
  { draft = false }: { draft?: boolean } = {},
): Promise<Id> {
  const id = ctx.newId();
  const content = { ...(await textOf(ctx, text)), ...times };
  const publish = !draft && times.scheduled_at === null;
  await ctx.execute(
    announcementStream(id),
    announcement,
    (state) => decideCreate(state, { id, content, now: ctx.now, publish }),
    { isNew: true },
  );
  return id;
}

/** @throws RookeryError `not_found`, `invalid` */
export const updateAnnouncement = useCase({
  prepare: async (ctx, { id, text, ...times }: { id: Id } & Partial<AnnouncementInput>) => ({
    id,
    changes: { ...(text === undefined ? {} : await textOf(ctx, text)), ...times },
    now: ctx.now,
  }),
  stream: ({ id }) => announcementStream(id),
  decider: announcement,
  decide: (state, { changes, now }) => decideUpdate(state, changes, now),
});

/**
 * Does nothing when it is published already. @throws RookeryError `not_found`, `invalid` when it has ended
 */
export const publishAnnouncement = useCase({
  prepare: ({ now }, id: Id) => ({ id, now }),
  stream: ({ id }) => announcementStream(id),
  decider: announcement,
  decide: (state, { now }) => decidePublish(state, now),
});

/** Unpublishes it; it can be published again. @throws RookeryError `not_found` */
export const unpublishAnnouncement = useCase({
  stream: announcementStream,
  decider: announcement,
  decide: decideUnpublish,
});

/** @throws RookeryError `not_found` */
export const deleteAnnouncement = useCase({
  stream: announcementStream,
  decider: announcement,
  decide: decideDelete,
});

/** Publishes it when it is due, or unpublishes it when it has ended. */
export const applyAnnouncementSchedule = useCase({
  prepare: ({ now }, id: Id) => ({ id, now }),
  stream: ({ id }) => announcementStream(id),
  decider: announcement,
  decide: (state, { now }) => decideDue(state, now),
});

type Text = Pick<AnnouncementContent, 'text' | 'content' | 'mentions' | 'tags' | 'status_ids'>;

/** Returns the text with everything that it refers to. */
async function textOf({ db, instance }: CommandContext, given: string): Promise<Text> {
  const text = given.trim();
  if (text === '') throw invalid("The text can't be blank");
  if (isLonger(text, MAX_ANNOUNCEMENT_TEXT)) {
    throw invalid(`The text is too long (maximum is ${MAX_ANNOUNCEMENT_TEXT} characters)`);
  }
  const { origin } = instance;
  const handles = extractMentions(text).map(handleKey);
  const { mentioned: mentions } = await accountsOfHandles(db, instance, handles);
  return {
    text,
    content: formatStatus(text, { origin, mentions }),
    mentions: [...new Map([...mentions.values()].map((account) => [account.id, account])).values()],
    tags: extractHashtags(text).map((name) => ({ name, normal: normalizeTag(name) })),
    status_ids: statusIdsIn(text, origin),
  };
}

/** Finds links to local posts: `https://rookery.example/@alice/115500000000000001`. */
function statusIdsIn(text: string, origin: string): Id[] {
  const ids = text
    .split(`${origin}/`)
    .slice(1)
    .flatMap((path) => OF_POST.exec(path)?.[1] ?? []);
  return [...new Set(ids.filter(isId))];
}

const OF_POST = /^(?:@[^/\s]{1,300}|users\/[^/\s]{1,300}\/statuses)\/([0-9]{1,19})(?![0-9])/;
