import { ACTIVITY_STREAMS, type Document, POST_CONTEXT } from './contexts.ts';

type CollectionType = 'Collection' | 'OrderedCollection';

/** Returns a collection that is served page by page; without `paged` only its size. */
export const pagedCollection = (
  id: string,
  type: CollectionType,
  { total, paged, fromOldest = false }: { total?: number; paged: boolean; fromOldest?: boolean },
): Document => ({
  '@context': ACTIVITY_STREAMS,
  id,
  type,
  ...(total === undefined ? {} : { totalItems: total }),
  ...(paged ? { first: pageOf(id) } : {}),
  ...(paged && fromOldest ? { last: pageOf(id, { min_id: '0' }) } : {}),
});

/** Returns a collection that is small enough to be served as a whole. */
export const wholeCollection = (id: string, type: CollectionType, items: readonly unknown[]): Document => ({
  '@context': POST_CONTEXT,
  id,
  type,
  totalItems: items.length,
  [itemsOf(type)]: items,
});

/** The place of a page in a collection; the first page has none. */
export type PagePlace = { max_id: string } | { min_id: string } | Record<string, never>;

/** A page, newest first. `next` leads to older items and `prev` to newer ones, if there are any. */
export interface CollectionPage {
  place: PagePlace;
  next?: PagePlace | undefined;
  prev?: PagePlace | undefined;
  items: readonly unknown[];
}

export const collectionPage = (
  id: string,
  type: CollectionType,
  { place, next, prev, items }: CollectionPage,
): Document => ({
  '@context': POST_CONTEXT,
  id: pageOf(id, place),
  type: `${type}Page`,
  partOf: id,
  ...(next ? { next: pageOf(id, next) } : {}),
  ...(prev ? { prev: pageOf(id, prev) } : {}),
  [itemsOf(type)]: items,
});

const pageOf = (id: string, place: PagePlace = {}): string =>
  `${id}?${new URLSearchParams({ page: 'true', ...place }).toString()}`;
const itemsOf = (type: CollectionType): string => (type === 'Collection' ? 'items' : 'orderedItems');
