import { z } from 'zod';
import { isRookeryError, RookeryError, unauthorized } from '#kernel/errors.ts';
import { type Id, isId } from '#kernel/ids.ts';
import { firstOf, formBoolean, formStringArray } from '#kernel/input.ts';
import type { Db } from '#kernel/read.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import { ownListOf } from '#queries/lists/index.ts';
import type { OpenTimeline } from '#queries/timelines/index.ts';

/** A stream that clients subscribe to: https://docs.joinmastodon.org/methods/streaming/#streams */
export interface Channel {
  name: string;
  /** Its name in messages: the channel, and its hashtag or list. */
  label: readonly string[];
  /** The timeline whose statuses it sends. */
  timeline: OpenTimeline | undefined;
  notifications: boolean;
  conversations: boolean;
  /** Sends events about the account, such as changes of its filters. */
  account: boolean;
  /** Sends encrypted messages to the device of the token. */
  device: boolean;
}

/** The caller and their scopes. */
export interface Asker {
  db: Db;
  viewerId: Id;
  may: (scope: string) => boolean;
}

/** The parameters of a channel, in a query or a message. */
const parameters = z.object({
  tag: z.preprocess(firstOf, z.string().max(500).optional()),
  list: z.preprocess(firstOf, z.string().max(40).optional()),
  only_media: formBoolean.optional(),
  any: additionalTags(),
  all: additionalTags(),
  none: additionalTags(),
});
type Parameters = z.output<typeof parameters>;

/** The maximum of each kind that applies, as in the timeline of a hashtag. */
const MAX_TAGS = 4;

function additionalTags() {
  return formStringArray(100, 500, { alone: true })
    .default([])
    .transform((names) => [...new Set(names.slice(0, MAX_TAGS).map(normalizeTag))]);
}

interface Definition {
  /** The path below /api/v1/streaming; absent for the channels of media, which `only_media` selects. */
  path?: string;
  /** The scope that the channel requires; without further scopes, some of its events are left out. */
  scope: 'read:statuses' | 'read:notifications';
  /** The parameter that names its hashtag or list. */
  of?: 'tag' | 'list';
  open: (asker: Asker, parameters: Parameters) => Partial<Channel> | Promise<Partial<Channel>>;
}

const publicly =
  (local: boolean | null, media: boolean): Definition['open'] =>
  ({ viewerId }) => ({ timeline: { timeline: 'public', viewerId, local, media } });

const tagged =
  (local: boolean | null): Definition['open'] =>
  ({ viewerId }, { tag, any, all, none }) => {
    const normal = tag === undefined ? '' : normalizeTag(tag);
    if (tag === undefined || normal === '') throw badRequest('Missing tag name parameter');
    const tags = [...new Set([normal, ...any])];
    return { timeline: { timeline: 'tag', viewerId, local, tags, all, none } };
  };

/** All channels. Those with statuses need `read:statuses`, those with notifications `read:notifications`. */
export const channels: Readonly<Record<string, Definition>> = {
  user: {
    path: '/user',
    scope: 'read:statuses',
    open: ({ viewerId, may }) => ({
      timeline: { timeline: 'home', viewerId },
      notifications: may('read:notifications'),
      account: true,
      device: may('crypto'),
    }),
  },
  'user:notification': {
    path: '/user/notification',
    scope: 'read:notifications',
    open: () => ({ notifications: true }),
  },
  public: { path: '/public', scope: 'read:statuses', open: publicly(null, false) },
  'public:media': { scope: 'read:statuses', open: publicly(null, true) },
  'public:local': { path: '/public/local', scope: 'read:statuses', open: publicly(true, false) },
  'public:local:media': { scope: 'read:statuses', open: publicly(true, true) },
  'public:remote': { path: '/public/remote', scope: 'read:statuses', open: publicly(false, false) },
  'public:remote:media': { scope: 'read:statuses', open: publicly(false, true) },
  hashtag: { path: '/hashtag', scope: 'read:statuses', of: 'tag', open: tagged(null) },
  'hashtag:local': { path: '/hashtag/local', scope: 'read:statuses', of: 'tag', open: tagged(true) },
  list: {
    path: '/list',
    scope: 'read:statuses',
    of: 'list',
    open: async ({ db, viewerId }, { list }) => {
      if (list === undefined || list === '') throw badRequest('Missing list name parameter');
      await requireOwn(db, viewerId, list);
      return { timeline: { timeline: 'list', viewerId, listId: list } };
    },
  },
  direct: { path: '/direct', scope: 'read:statuses', open: () => ({ conversations: true }) },
};

/**
 * Opens a channel for a caller. The errors are those of Mastodon's streaming server. @throws RookeryError
 * `bad_request` for an unknown channel or a missing parameter, `unauthorized` for a missing scope and for
 * another user's list
 */
export async function openChannel(name: unknown, given: unknown, asker: Asker): Promise<Channel> {
  const label = labelOf(name, given);
  const [known = ''] = label;
  requireScope(known, asker);
  return {
    name: known,
    label,
    timeline: undefined,
    notifications: false,
    conversations: false,
    account: false,
    device: false,
    ...(await channels[known]?.open(asker, parameters.parse(given))),
  };
}

/**
 * Returns the name of a channel in messages, whether the caller may subscribe to it or not. @throws
 * RookeryError `bad_request` for an unknown one
 */
export function labelOf(name: unknown, given: unknown): string[] {
  const definition = typeof name === 'string' && Object.hasOwn(channels, name) ? channels[name] : undefined;
  if (typeof name !== 'string' || !definition) throw badRequest('Unknown stream type');
  const of = definition.of && parameters.parse(given)[definition.of];
  return of === undefined ? [name] : [name, of];
}

/** Throws RookeryError `unauthorized` without the scope. */
export function requireScope(name: string, { may }: Pick<Asker, 'may'>): void {
  const scope = channels[name]?.scope;
  if (scope === undefined || !may(scope)) {
    throw unauthorized('Access token does not have the required scopes');
  }
}

const byPath = new Map(Object.entries(channels).map(([name, { path }]) => [path, name]));

/** Returns the channel of a path below /api/v1/streaming; otherwise undefined. */
export function channelOfPath(path: string, query: Record<string, unknown>): string | undefined {
  const name = byPath.get(path);
  const onlyMedia = formBoolean.safeParse(firstOf(query['only_media'])).data === true;
  return name !== undefined && onlyMedia && `${name}:media` in channels ? `${name}:media` : name;
}

async function requireOwn(db: Db, viewerId: Id, list: string): Promise<void> {
  const refusal = unauthorized('Not authorized to stream this list');
  if (!isId(list)) throw refusal;
  try {
    await ownListOf(db, viewerId, list);
  } catch (error) {
    throw isRookeryError(error) ? refusal : error;
  }
}

const badRequest = (message: string): RookeryError => new RookeryError('bad_request', message);
