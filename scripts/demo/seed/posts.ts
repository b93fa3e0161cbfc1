import { closePoll } from '#commands/statuses/index.ts';
import { momentOf } from '../moments.ts';
import { pictureSvg, render } from '../pictures/render.ts';
import type { PlannedMark } from '../plan-marks.ts';
import type { PlannedPost } from '../plan-posts.ts';
import { withFiles } from './files.ts';
import { forAll, PICTURES_AT_ONCE, postNamed, send, type Town } from './town.ts';
import { castVote } from './votes.ts';

/** Minutes of one turn: long enough to do much at once, short enough that the log is nearly in the order of time. */
const TURN = 4 * 1_440;

/**
 * Writes all posts with their pictures, and what others do with them, from the oldest to the newest. A reply or quote is written once
 * the read models show the post before it. The polls that ended are closed here as their timer would have done at that time.
 */
export async function post(town: Town, beforeLastTurn: () => Promise<unknown>): Promise<void> {
  const { posts, marks } = town.plan;
  const media = uploadAhead(town);
  for (let until = 11 * TURN; until > 0; until -= TURN) {
    if (until === TURN) await beforeLastTurn();
    const isNow = ({ ago }: { ago: number }): boolean => ago < until && ago >= until - TURN;
    for (const level of levelsOf(posts.filter(isNow))) {
      await forAll(level, async (each) => write(town, each, await media.get(each.key)));
      await town.acting.settle();
    }
    await forAll(marks.filter(isNow), (mark) => react(town, mark));
    await forAll(
      posts.filter(({ edit }) => edit && isNow(edit)),
      (each) => edit(town, each),
    );
    await closePolls(
      town,
      posts.filter(({ poll, ago }) => poll && isNow({ ago: ago - poll.hours * 60 })),
    );
    await town.acting.settle();
  }
}

/** Posts before those that answer or quote them. */
function levelsOf(posts: readonly PlannedPost[]): PlannedPost[][] {
  const depths = new Map<string, number>();
  const levels: PlannedPost[][] = [];
  for (const each of posts) {
    const before = [each.parent, each.quotes].map((key) => depths.get(key ?? '') ?? -1);
    const depth = Math.max(...before) + 1;
    depths.set(each.key, depth);
    (levels[depth] ??= []).push(each);
  }
  return levels;
}

/** Uploads all pictures in the background, the oldest first. */
function uploadAhead(town: Town): Map<string, Promise<string[]>> {
  const illustrated = town.plan.posts.filter(({ pictures }) => pictures.length > 0);
  const waiting = new Map(illustrated.map(({ key }) => [key, Promise.withResolvers<string[]>()]));
  const uploadAll = async (post: PlannedPost): Promise<void> => {
    const ids: string[] = [];
    for (const index of post.pictures.keys()) ids.push(await upload(town, post, index));
    waiting.get(post.key)?.resolve(ids);
  };
  forAll(illustrated, uploadAll, PICTURES_AT_ONCE).catch((error: unknown) => {
    for (const { reject } of waiting.values()) reject(error);
  });
  // A failure is met where a post waits for its pictures.
  for (const { promise } of waiting.values()) promise.catch(() => undefined);
  return new Map([...waiting].map(([key, { promise }]) => [key, promise]));
}

async function upload(town: Town, { by, ago, pictures }: PlannedPost, index: number): Promise<string> {
  const picture = pictures[index];
  if (!picture) throw new Error('There is no such picture');
  const file = await render(pictureSvg(picture), 'jpeg');
  const { id } = await withFiles(town, { file }, (files) =>
    send<{ id: string }>(town, by, 'POST /api/v2/media', {
      ago,
      files,
      body: { description: picture.description },
    }),
  );
  return id;
}

async function write(town: Town, planned: PlannedPost, media_ids: readonly string[] = []): Promise<void> {
  const { key, by, ago, text, language, visibility, warning, sensitive, poll, parent, quotes } = planned;
  const made = await send<{ id: string; poll: { id: string } | null }>(town, by, 'POST /api/v1/statuses', {
    ago,
    body: {
      status: text,
      language,
      visibility,
      media_ids,
      ...(warning === undefined ? {} : { spoiler_text: warning }),
      ...(sensitive ? { sensitive } : {}),
      ...(poll
        ? {
            poll: { options: poll.options, expires_in: poll.hours * 3_600, multiple: poll.multiple === true },
          }
        : {}),
      ...(parent === undefined ? {} : { in_reply_to_id: postNamed(town, parent).id }),
      ...(quotes === undefined ? {} : { quoted_status_id: postNamed(town, quotes).id }),
    },
  });
  town.posts.set(key, { id: made.id, pollId: made.poll?.id });
}

const ROUTES = {
  favourite: 'POST /api/v1/statuses/:id/favourite',
  reblog: 'POST /api/v1/statuses/:id/reblog',
  bookmark: 'POST /api/v1/statuses/:id/bookmark',
} as const;

async function react(town: Town, mark: PlannedMark): Promise<void> {
  const { kind, by, post: key, ago } = mark;
  const { id, pollId = '' } = postNamed(town, key);
  if (kind === 'vote') await castVote(town, mark, pollId);
  else await send(town, by, ROUTES[kind], { ago, params: { id } });
}

async function edit(town: Town, { key, by, edit: change, language }: PlannedPost): Promise<void> {
  if (!change) return;
  const params = { id: postNamed(town, key).id };
  await send(town, by, 'PUT /api/v1/statuses/:id', {
    ago: change.ago,
    params,
    body: { status: change.text, language },
  });
}

const closePolls = (town: Town, posts: readonly PlannedPost[]): Promise<void> =>
  forAll(posts, async ({ key, poll, ago }) => {
    const { id, pollId = '' } = postNamed(town, key);
    // A second later: the first moment in which it is over.
    const end = momentOf(ago, town.end) + (poll?.hours ?? 0) * 3_600_000 + 1_000;
    if (end < town.end) await closePoll(town.acting.operator(end), { statusId: id, pollId });
  });

/** Pins a post of its author's. */
export const pin = (town: Town, by: string, key: string, ago: number): Promise<unknown> =>
  send(town, by, 'POST /api/v1/statuses/:id/pin', { ago, params: { id: postNamed(town, key).id } });
