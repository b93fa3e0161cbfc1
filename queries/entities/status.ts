import type { Instance } from '#kernel/context.ts';
import { json, type JsonPiece, type JsonPieces, textByFlags } from '#kernel/json-pieces.ts';
import { foundPollJson } from './poll.ts';
import { quoteApprovalMember, type QuotedRow, quoteJson, shallowQuoteJson } from './quote.ts';
import type { SharedStatus } from './shared-status.ts';

export interface OwnRow extends QuotedRow {
  favourited: true | null;
  reblogged: true | null;
  bookmarked: true | null;
  muted: true | null;
  pinned: true | null;
  /** Selected only when it decides about quoting. */
  follows_author: true | null;
  /** A JSON text of a `PollRow`; null for none. */
  poll: string | null;
}

/** A status for one viewer. */
export interface FoundStatus<Own extends OwnRow = OwnRow> {
  shared: SharedStatus;
  account: JsonPiece;
  own: Own;
}

/**
 * A status with the statuses inside of it: the reblogged one, its quoted one, and the one that this status
 * quotes.
 */
export interface StatusWithInner<Status extends FoundStatus = FoundStatus> {
  status: Status;
  reblog?: Status | undefined;
  quoted?: Status | undefined;
  nested?: Status | undefined;
}

/**
 * The results of the viewer's filters, as JSON: for the status (or the one that it reblogs), and for the
 * quoted one.
 */
export interface Filtered {
  status: string;
  quoted: string;
}
export const UNFILTERED: Filtered = { status: '[]', quoted: '[]' };

interface Reader {
  viewerId: string | undefined;
  instance: Instance;
  /** Collections that statuses link to and that the viewer may see, as ready JSON by id. */
  collections: ReadonlyMap<string, string>;
  /** Authors of linked pages that the viewer may see, as JSON by id. */
  authors: ReadonlyMap<string, string>;
  filtered: string;
}

/** https://docs.joinmastodon.org/entities/Status/ */
export function statusJson(
  { status, reblog, quoted, nested }: StatusWithInner,
  viewer: Omit<Reader, 'filtered'>,
  filtered: Filtered,
): JsonPieces {
  const reader = { ...viewer, filtered: filtered.status };
  const whole = (outer: FoundStatus): JsonPieces =>
    membersJson(outer, outer, { quote: quoteJson(outer.shared, quoted?.own, quotedJson) }, reader);
  const quotedJson = (): JsonPieces | undefined => {
    const quote = quoted && shallowQuoteJson(quoted.shared, nested?.own);
    return quoted && membersJson(quoted, quoted, { quote }, { ...viewer, filtered: filtered.quoted });
  };
  return reblog ? membersJson(status, reblog, { reblog: whole(reblog) }, reader) : whole(status);
}

/** `of` is the status whose counters and marks are shown; for a reblog, the original post. */
function membersJson(
  status: FoundStatus,
  of: FoundStatus,
  { reblog, quote }: { reblog?: JsonPieces; quote?: JsonPieces | undefined },
  reader: Reader,
): JsonPieces {
  const poll = status === of ? foundPollJson(status.own.poll, status.shared, reader) : undefined;
  const inside =
    reblog || quote || poll !== undefined
      ? json`,"reblog":${reblog ?? 'null'},"poll":${poll ?? 'null'},"quote":${quote ?? 'null'}`
      : NOTHING_INSIDE;
  const { head, ownHead, account_id } = status.shared;
  const seen = reader.viewerId === account_id ? (ownHead ?? head) : head;
  const texts =
    status === of
      ? json`${contentJson(of.shared, reader)}${taggedJson(of.shared, reader)}`
      : json`${NO_TEXTS}${of.shared.counters}`;
  return json`${seen}${status.account}${texts}${inside}${ownJson(status, of, reader)}}`;
}

const contentJson = ({ content, card_author: author }: SharedStatus, { authors }: Reader): JsonPieces =>
  author ? json`${content}${authors.get(author.id) ?? 'null'}${author.rest}` : json`${content}`;

function taggedJson({ collection_ids: ids }: SharedStatus, { collections }: Reader): string {
  if (ids.length === 0) return '';
  return `,"tagged_collections":[${ids.flatMap((id) => collections.get(id) ?? []).join(',')}]`;
}

const NO_TEXTS = Buffer.from(',"content":"","card":null,"emojis":[],"tagged_collections":[],');
const NOTHING_INSIDE = Buffer.from(',"reblog":null,"poll":null,"quote":null');

/** Renders the viewer's own part; marks are absent without a token. */
function ownJson({ shared, own }: FoundStatus, of: FoundStatus, { viewerId, filtered }: Reader): JsonPieces {
  const approval = quoteApprovalMember(of.shared, of.own, viewerId);
  if (viewerId === undefined) return json`,${approval}`;
  const { favourited, reblogged, muted, bookmarked } = of.own;
  const marks = marksJson(favourited === true, reblogged === true, muted === true, bookmarked === true);
  const { account_id: authorId, reblog_of_id: reblogged_id, visibility } = shared;
  const pinnable = viewerId === authorId && reblogged_id === null && visibility !== 'direct';
  const pinned = pinnable ? `,"pinned":${own.pinned === true}` : '';
  return json`,${approval}${marks},"filtered":${filtered}${pinned}`;
}

const marksJson = textByFlags(
  (favourited, reblogged, muted, bookmarked) =>
    `,"favourited":${favourited},"reblogged":${reblogged},"muted":${muted},"bookmarked":${bookmarked}`,
);
