import type { Reply } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { isId, LARGEST_ID } from '#kernel/ids.ts';
import { featuredTagsOf } from '#queries/featured-tags/index.ts';
import {
  knownLocalActor,
  listBelow,
  localActor,
  outboxAbove,
  outboxBelow,
  pinnedPosts,
} from '#queries/federation/index.ts';
import { cacheable, documentReply, type DocumentRequest, type DocumentResponse } from './answer.ts';
import { actorDocument, placesOf } from './documents/actor.ts';
import { collectionPage, pagedCollection, type PagePlace, wholeCollection } from './documents/collections.ts';
import type { Document } from './documents/contexts.ts';
import { activityDocument, postDocument } from './documents/post.ts';

/** Items of a page of URIs, and of a page of activities. */
const URIS = 40;
const ACTIVITIES = 20;

/**
 * `GET /users/:username`: the actor, or its page. A suspended actor still identifies itself, so that others
 * can distinguish it from a deleted one.
 */
export async function showActor(asked: DocumentRequest): Promise<DocumentResponse> {
  if (!asked.document) return { redirect: (await actorOf(asked)).url };
  return actorReply(asked, await knownLocalActor(asked.ctx.db, asked.params['username'] ?? ''));
}

type Actor = Awaited<ReturnType<typeof localActor>>;

export const actorOf = ({ ctx, params }: DocumentRequest): Promise<Actor> =>
  localActor(ctx.db, params['username'] ?? '');

async function actorReply({ keys, instance }: DocumentRequest, actor: Actor): Promise<Reply> {
  return cacheable(documentReply(actorDocument(actor, await keys.publicKeys(actor.id), instance)));
}

/** `GET /users/:username/outbox`: public posts and reblogs. */
export async function showOutbox(asked: DocumentRequest): Promise<DocumentResponse> {
  const actor = await actorOf(asked);
  const id = placesOf(actor.uri).outbox;
  if (!asksForPage(asked.query)) {
    const form = { total: actor.statuses_count, paged: true, fromOldest: true };
    return documentReply(pagedCollection(id, 'OrderedCollection', form));
  }
  const { db } = asked.ctx;
  const after = idIn(asked.query, 'min_id');
  const before = idIn(asked.query, 'max_id');
  const posts =
    after === undefined
      ? await outboxBelow(db, actor.id, before ?? LARGEST_ID, ACTIVITIES)
      : await outboxAbove(db, actor.id, after, ACTIVITIES);
  const [first, last] = [posts[0], posts.at(-1)];
  return documentReply(
    collectionPage(id, 'OrderedCollection', {
      place: after === undefined ? placeBelow(before) : { min_id: after },
      prev: first && { min_id: first.id },
      next: last && posts.length === ACTIVITIES ? { max_id: last.id } : undefined,
      items: posts.map((post) => activityDocument(post, asked.instance)),
    }),
  );
}

/**
 * `GET /users/:username/followers` and `/following`: only the number, when the account hides its connections.
 */
export const showFollows =
  (list: 'followers' | 'following') =>
  async (asked: DocumentRequest): Promise<DocumentResponse> => {
    const actor = await actorOf(asked);
    const id = placesOf(actor.uri)[list];
    const shown = actor.profile.hide_collections !== true;
    const before = placeIn(asked.query);
    if (before === undefined) {
      const total = list === 'followers' ? actor.followers_count : actor.following_count;
      return documentReply(pagedCollection(id, 'OrderedCollection', { total, paged: shown }));
    }
    if (!shown) throw notFound();
    return urisReply(asked, id, 'OrderedCollection', { list, of: actor.id, before });
  };

/** A page of URIs. */
export async function urisReply(
  { ctx }: DocumentRequest,
  id: string,
  type: 'Collection' | 'OrderedCollection',
  { list, of, before }: { list: Parameters<typeof listBelow>[1]; of: string; before: string },
): Promise<Reply> {
  const rows = await listBelow(ctx.db, list, of, before, URIS);
  const last = rows.at(-1);
  return documentReply(
    collectionPage(id, type, {
      place: placeBelow(before === LARGEST_ID ? undefined : before),
      next: last && rows.length === URIS ? { max_id: last.cursor } : undefined,
      items: rows.map(({ uri }) => uri),
    }),
  );
}

/** `GET /users/:username/collections/featured`: the pinned posts. */
export async function showFeatured(asked: DocumentRequest): Promise<DocumentResponse> {
  const actor = await actorOf(asked);
  const posts = await pinnedPosts(asked.ctx.db, actor.id);
  const items = posts.map((post) => postDocument(post, asked.instance));
  return documentReply(wholeCollection(placesOf(actor.uri).featured, 'OrderedCollection', items));
}

/** `GET /users/:username/collections/tags`: the featured hashtags. */
export async function showFeaturedTags(asked: DocumentRequest): Promise<DocumentResponse> {
  const actor = await actorOf(asked);
  const tags = await featuredTagsOf(asked.ctx.db, actor.id);
  const items: Document[] = tags.map(({ name, url }) => ({ type: 'Hashtag', href: url, name: `#${name}` }));
  return documentReply(wholeCollection(placesOf(actor.uri).featuredTags, 'Collection', items));
}

/**
 * Returns the start of a page; undefined when the collection itself is requested. @throws RookeryError
 * `not_found`
 */
export const placeIn = (query: URLSearchParams): string | undefined =>
  asksForPage(query) ? (idIn(query, 'max_id') ?? LARGEST_ID) : undefined;

/** Pages have places rather than numbers, so the number 1 is the only one. @throws RookeryError `not_found` */
function asksForPage(query: URLSearchParams): boolean {
  const page = query.get('page');
  if (page !== null && page !== 'true' && page !== '1') throw notFound();
  return page !== null;
}

/** Throws RookeryError `not_found` for text that is no id. */
function idIn(query: URLSearchParams, name: 'max_id' | 'min_id'): string | undefined {
  const id = query.get(name) ?? undefined;
  if (id !== undefined && !isId(id)) throw notFound();
  return id;
}

const placeBelow = (before: string | undefined): PagePlace =>
  before === undefined ? {} : { max_id: before };
