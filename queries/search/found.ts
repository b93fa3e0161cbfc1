import type { JsonPieces } from '#kernel/json-pieces.ts';

/** The lists of a reply, as JSON. */
export interface Found {
  accounts?: JsonPieces;
  statuses?: JsonPieces;
  hashtags?: JsonPieces;
  collections?: JsonPieces;
}
