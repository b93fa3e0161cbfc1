import { type Db, statement } from '#kernel/read.ts';
import { blocks } from '../visibility/pairs.ts';

/*
 * Approval of replies, likes and announces: https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 * The policies of local posts approve by themselves, so each interaction that is kept is an approved one until its account is blocked.
 */

/** The URIs of an interaction and of the post that it concerns. */
export interface AuthorizedInteraction {
  interacting: string;
  target: string;
}

/** SQL: the URI of the authorization of a reply to a local post. */
export const replyAuthorizationUri = (authorUri: string, replyId: string): string =>
  `${authorUri} || '/reply_authorizations/' || ${replyId}`;

const ALLOWED = `p.account_id = $2 and p.local and not p.deleted and not a.suspended and not ${blocks('p.account_id', 'a.id')}`;
const ofPost = (column: 'in_reply_to_id' | 'reblog_of_id'): string =>
  `select s.uri as interacting, p.uri as target from statuses s join accounts a on a.id = s.account_id
   join statuses p on p.id = s.${column} where s.id = $1 and s.account_id <> p.account_id and not s.deleted and ${ALLOWED}`;

const STATEMENTS = {
  reply: statement<AuthorizedInteraction>('federation_authorized_reply', ofPost('in_reply_to_id')),
  announce: statement<AuthorizedInteraction>('federation_authorized_announce', ofPost('reblog_of_id')),
  like: statement<AuthorizedInteraction>(
    'federation_authorized_like',
    `select n.uri as interacting, p.uri as target from remote_activities n join accounts a on a.id = n.account_id
     join interactions i on i.account_id = n.account_id and i.status_id = n.target_id and i.favourite_id is not null
     join statuses p on p.id = n.target_id
     where n.kind = 'favourite' and n.target_id = $1 and n.account_id = $3 and ${ALLOWED}`,
  ),
};

/**
 * Returns the interaction that a local author approved under an id, or undefined. A like is named by its post
 * and its account.
 */
export async function authorizedInteraction(
  db: Db,
  kind: keyof typeof STATEMENTS,
  authorId: string,
  { id, accountId }: { id: string; accountId?: string },
): Promise<AuthorizedInteraction | undefined> {
  const parameters = kind === 'like' ? [id, authorId, accountId ?? null] : [id, authorId];
  return (await db.query(STATEMENTS[kind], parameters))[0];
}
