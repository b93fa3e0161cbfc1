import type { Visibility } from '#events/accounts.ts';
import type { InteractionKind } from '#events/statuses.ts';
import { type Db, statement } from '#kernel/read.ts';
import { shownDomain } from '../entities/handles.ts';
import { type LocalPost, postToSend } from './posts.ts';

/** An interaction of a local user that waits for the approval of a remote author. */
export interface InteractionRequest {
  id: string;
  kind: InteractionKind;
  account_id: string;
  /** The post and its author. */
  status_id: string;
  status_account_id: string;
  status_uri: string;
}

const REQUEST = statement<InteractionRequest>(
  'federation_interaction_request',
  `select q.id, q.kind, q.account_id, q.status_id, q.status_account_id, s.uri as status_uri
   from interaction_requests q join statuses s on s.id = q.status_id where q.id = $1 and q.status_account_id = $2`,
);
const AUDIENCE = statement<{ visibility: Visibility; tags: string[]; mentions: LocalPost['mentions'] }>(
  'federation_requested_audience',
  `select q.visibility, q.tags,
     (select coalesce(json_agg(json_build_object('uri', m.uri, 'username', m.username, 'domain', ${shownDomain('m')}) order by m.id), '[]')
      from accounts m where m.id = any(q.mentioned)) as mentions
   from interaction_requests q where q.id = $1`,
);

/** Returns the waiting request with this id that an account was asked to approve. */
export const interactionRequest = async (
  db: Db,
  id: string,
  askedAccountId: string,
): Promise<InteractionRequest | undefined> => (await db.query(REQUEST, [id, askedAccountId]))[0];

/** Returns a waiting post or reblog with its intended audience; undefined when it no longer waits. */
export async function requestedPost(db: Db, id: string): Promise<LocalPost | undefined> {
  const [[audience], post] = await Promise.all([db.query(AUDIENCE, [id]), postToSend(db, id)]);
  return audience && post && { ...post, ...audience };
}
