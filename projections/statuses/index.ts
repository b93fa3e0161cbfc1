import { PersonalDataErased } from '#events/erasure.ts';
import { previewCardJson } from '#events/preview-card.ts';
import {
  AttachmentDescribed,
  PreviewCardAttached,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
} from '#events/statuses.ts';
import { MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { describeAttachments } from './attachments.ts';
import { countReply, countStatuses } from './counts.ts';
import { ERASE, ERASE_EDITS, ERASE_TAGS } from './erase.ts';
import { mentionHandlers } from './mentions.ts';
import { ORPHAN } from './orphans.ts';
import { pinAndPolicyHandlers, UNPIN } from './pins-and-policies.ts';
import { editPosts, forgetRequested, insertPosts } from './posts.ts';
import { UNLINK_QUOTED, UNLINK_QUOTED_EDITS } from './quote-lines.ts';
import { FORGET_STAMPS, quoteHandlers } from './quotes.ts';
import { reblogHandlers } from './reblogs.ts';
import { removedHandlers } from './removed.ts';
import { replyLinkHandlers } from './reply-links.ts';
import { requestHandlers } from './requests.ts';
import { sealedHandler } from './sealed.ts';
import { handlerIndexes, indexes, tables } from './tables.ts';

const DELETE = statement('statuses_delete', 'update statuses set deleted = true where id = any($1)');
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

const CARD = statement(
  'statuses_card',
  `update statuses s set card = n.card, card_author_id = n.author_id
   from unnest($1::bigint[], $2::text[], $3::bigint[]) as n (id, card, author_id) where s.id = n.id`,
);

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
        const created = events.map(({ data }) => data);
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
      apply: async (events, db) =>
        editPosts(
          events.map(({ data }) => data),
          db,
        ),
    }),
    on(StatusDeleted, {
      // Posts that quote it or reply to it read its key.
      keys: byStatus,
      additive: true,
      apply: async (events, db) => {
        const deleted = events.map(({ data }) => data);
        const ids = deleted.map(({ id }) => id);
        await db.query(DELETE, [ids]);
        await db.query(UNPIN, [ids]);
        await db.query(FORGET_STAMPS, [ids]);
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
      apply: async (events, db) => {
        await db.query(CARD, [
          events.map(({ data }) => data.id),
          events.map(({ data: { card } }) => card && previewCardJson(card)),
          events.map(({ data: { card } }) => card?.author_account_id ?? null),
        ]);
      },
    }),
    sealedHandler,
    on(AttachmentDescribed, {
      keys: byStatus,
      apply: (events, db) =>
        describeAttachments(
          events.map(({ data }) => data),
          db,
        ),
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
