import { PersonalDataErased } from '#events/erasure.ts';
import { previewCardJson } from '#events/preview-card.ts';
import {
  AttachmentDescribed,
  PreviewCardAttached,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
} from '#events/statuses.ts';
import { dataOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { describeAttachments } from './attachments.ts';
import { countReply, countStatuses } from './counts.ts';
import { ERASE, ERASE_EDITS, ERASE_TAGS } from './erase.ts';
import { mentionHandlers } from './mentions.ts';
import { ORPHAN } from './orphans.ts';
import { pinAndPolicyHandlers } from './pins-and-policies.ts';
import { editPosts, forgetRequested, insertPosts } from './posts.ts';
import { UNLINK_QUOTED, UNLINK_QUOTED_EDITS } from './quote-lines.ts';
import { FORGET_AUTHORIZATIONS, quoteHandlers } from './quotes.ts';
import { reblogHandlers } from './reblogs.ts';
import { removedHandlers } from './removed.ts';
import { replyLinkHandlers } from './reply-links.ts';
import { requestHandlers } from './requests.ts';
import { sealedHandler } from './sealed.ts';
import { handlerIndexes, indexes, PINS, STATUSES, tables } from './tables.ts';

const DELETE = STATUSES.set('deleted');
const UNPIN = PINS.remove();
/** The quotes of a deleted post show its deletion, and a deleted quoting post no longer counts. */
const DELETE_QUOTED = statement(
  'statuses_delete_quoted',
  `update statuses set quote_state = 'deleted'
   where quote_id = any($1) and reblog_of_id is null and quote_state in ('accepted', 'pending')`,
);
/** Deleted posts have no quotes, so that posts which are deleted together may be deleted in any order. */
const UNCOUNT_QUOTES = [
  statement(
    'statuses_uncount_quotes',
    `update status_stats set quotes_count = quotes_count - n.quotes
     from (select s.quote_id, count(*) as quotes from statuses s join statuses q on q.id = s.quote_id and not q.deleted
           where s.id = any($1) and s.quote_state = 'accepted' group by s.quote_id) n
     where status_id = n.quote_id`,
  ),
  statement(
    'statuses_forget_quotes',
    'update status_stats set quotes_count = 0 where status_id = any($1) and quotes_count <> 0',
  ),
];

const byStatus = ({ data }: { data: { id: string } }): string[] => [data.id];

/** Posts, rendered as far as they are the same for every viewer, with the columns that find them. */
export const statuses: Projection = {
  name: 'statuses',
  version: 23,
  group: MAIN,
  tables,
  handlerIndexes,
  indexes,
  handlers: [
    on(StatusCreated, {
      keys: byStatus,
      reads: ({ data }) => [data.in_reply_to_id, data.quote?.id].filter((id) => id != null),
      apply: async (events, db) => {
        const created = dataOf(events);
        await forgetRequested(
          created
            .filter(({ reply_authorization: authorization }) => authorization !== undefined)
            .map(({ id }) => id),
          db,
        );
        const counted = created.flatMap((data) => [
          ...countReply(data, 1),
          ...(data.quote?.state === 'accepted' ? [{ id: data.quote.id, quotes: 1 }] : []),
        ]);
        await Promise.all([insertPosts(created, db), countStatuses(counted, db)]);
      },
    }),
    on(StatusEdited, {
      // The body names the parent only while it exists; a request for approval may end without a barrier.
      keys: ({ data }) => [data.id, ...(data.in_reply_to_id === null ? [] : [data.in_reply_to_id])],
      apply: (events, db) => editPosts(dataOf(events), db),
    }),
    on(StatusDeleted, {
      // Posts that quote it or reply to it read its key.
      keys: byStatus,
      additive: true,
      apply: async (events, db) => {
        const deleted = dataOf(events);
        const ids = deleted.map(({ id }) => id);
        const rows = ids.map((id) => ({ id, status_id: id, deleted: true }));
        await DELETE.from(rows, db);
        await UNPIN.from(rows, db);
        await FORGET_AUTHORIZATIONS.from(rows, db);
        for (const uncount of UNCOUNT_QUOTES) await db.query(uncount, [ids]);
        await db.query(DELETE_QUOTED, [ids]);
        await db.query(UNLINK_QUOTED, [ids]);
        await db.query(UNLINK_QUOTED_EDITS, [ids]);
        await db.query(ORPHAN, [ids]);
        await countStatuses(
          deleted.flatMap((data) => countReply(data, -1)),
          db,
        );
      },
    }),
    on(PreviewCardAttached, {
      keys: byStatus,
      apply: STATUSES.set('card', 'card_author_id').each(({ data: { id, card } }) => ({
        id,
        card: card && previewCardJson(card),
        card_author_id: card?.author_account_id,
      })),
    }),
    sealedHandler,
    on(AttachmentDescribed, {
      keys: byStatus,
      apply: (events, db) => describeAttachments(dataOf(events), db),
    }),
    ...reblogHandlers,
    ...requestHandlers,
    ...replyLinkHandlers,
    ...mentionHandlers,
    ...pinAndPolicyHandlers,
    ...quoteHandlers,
    ...removedHandlers,
    onAccounts(PersonalDataErased, ERASE, ERASE_EDITS, ERASE_TAGS),
  ],
};
