import type { InteractionKind } from '#events/statuses.ts';
import { type Db, statement } from '#kernel/read.ts';

/** An interaction of any account that the author of a remote post approved. */
export interface ApprovedInteraction {
  /** The reply, reblog or favourite. */
  id: string;
  kind: InteractionKind;
  account_id: string;
  /** The post; null for a reply to an unknown post. */
  status_id: string | null;
  status_account_id: string | null;
}

const approved = (which: string): string =>
  `select z.id, z.account_id, t.id as status_id, t.account_id as status_account_id,
     case when s.id is null then 'like' when s.reblog_of_id is null then 'reply' else 'announce' end as kind
   from interaction_authorizations z left join statuses s on s.id = z.id
   left join interactions i on s.id is null and i.account_id = z.account_id and i.favourite_id = z.id
   left join statuses t on t.id = coalesce(s.reblog_of_id, s.in_reply_to_id, i.status_id)
   where ${which} and (t.account_id = $2 or z.author_uri = $3) and s.deleted is not true and z.id < $4
   order by z.id desc limit $5`;

const APPROVED = {
  id: statement<ApprovedInteraction>('federation_approved_by_id', approved('z.id = $1::bigint')),
  uri: statement<ApprovedInteraction>('federation_approved_by_uri', approved('s.uri = $1 and not s.local')),
  authorization: statement<ApprovedInteraction>(
    'federation_approved_by_authorization',
    approved('z.uri = $1'),
  ),
};

/**
 * How the sender names an interaction: by its id here, by its URI on its own server, or by the URI of its
 * authorization.
 */
export type Approved = { by: keyof typeof APPROVED; name: string };

/** Returns interactions with ids below `before` that a remote account approved, newest first. */
export const interactionsApprovedBy = (
  db: Db,
  { by, name }: Approved,
  author: { id: string; uri: string },
  { before, limit }: { before: string; limit: number },
): Promise<ApprovedInteraction[]> => db.query(APPROVED[by], [name, author.id, author.uri, before, limit]);
