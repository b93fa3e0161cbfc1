import { ACTIVITY_STREAMS, POST_CONTEXT, type Document } from './contexts.ts';

type CollectionType = 'Collection' | 'OrderedCollection';

/** Returns a collection that is served page by page; without `paged` only its size. */
export const pagedCollection = (
  id: string,
  type: CollectionType,
  { total, paged }: { total?: number; paged: boolean },
): Document => ({
  '@context': ACTIVITY_STREAMS,
  id,
  type,
  ...(total === undefined ? {} : { totalItems: total }),
  ...(paged ? { first: `${id}?page=true` } : {}),
});

/** Returns a collection that is small enough to be served as a whole. */
export const wholeCollection = (id: string, type: CollectionType, items: readonly unknown[]): Document => ({
  '@context': POST_CONTEXT,
  id,
  type,
  totalItems: items.length,
  [itemsOf(type)]: items,
});

/** Returns a page below `before`, newest first. `next` is the start of the next page, if there is one. */
export const collectionPage = (
  id: string,
  type: CollectionType,
  {
    before,
    next,
    items,
  }: { before: string | undefined; next: string | undefined; items: readonly unknown[] },
): Document => ({
  '@context': POST_CONTEXT,
  id: pageOf(id, before),
  type: `${type}Page`,
  partOf: id,
  ...(next === undefined ? {} : { next: pageOf(id, next) }),
  [itemsOf(type)]: items,
});

const pageOf = (id: string, before: string | undefined): string =>
  `${id}?page=true${before === undefined ? '' : `&max_id=${before}`}`;
const itemsOf = (type: CollectionType): string => (type === 'Collection' ? 'items' : 'orderedItems');
