import { featuredTagsOf } from '../../../queries/featured-tags/index.ts';
import {
  knownLocalActor,
  listBelow,
  localActor,
  outboxBelow,
  pinnedPosts,
} from '../../../queries/federation/index.ts';
import type { Reply } from '../../kernel/endpoint.ts';
import { notFound } from '../../kernel/errors.ts';
import { isId, LARGEST_ID } from '../../kernel/ids.ts';
import { cacheable, documentReply, type DocumentResponse, type DocumentRequest } from './answer.ts';
import { actorDocument, placesOf } from './documents/actor.ts';
import { collectionPage, pagedCollection, wholeCollection } from './documents/collections.ts';
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
  const before = placeIn(asked.query);
  if (before === undefined) {
    return documentReply(
      pagedCollection(id, 'OrderedCollection', { total: actor.statuses_count, paged: true }),
    );
  }
  const posts = await outboxBelow(asked.ctx.db, actor.id, before, ACTIVITIES);
  return pageReply(id, 'OrderedCollection', before, {
    items: posts.map((post) => activityDocument(post, asked.instance)),
    next: posts.length < ACTIVITIES ? undefined : posts.at(-1)?.id,
  });
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
  return pageReply(id, type, before, {
    items: rows.map(({ uri }) => uri),
    next: rows.length < URIS ? undefined : rows.at(-1)?.cursor,
  });
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
export function placeIn(query: URLSearchParams): string | undefined {
  if (!query.has('page')) return undefined;
  const before = query.get('max_id') ?? LARGEST_ID;
  if (query.get('page') !== 'true' || !isId(before)) throw notFound();
  return before;
}

const pageReply = (
  id: string,
  type: 'Collection' | 'OrderedCollection',
  before: string,
  { items, next }: { items: readonly unknown[]; next: string | undefined },
): Reply =>
  documentReply(
    collectionPage(id, type, { before: before === LARGEST_ID ? undefined : before, next, items }),
  );
