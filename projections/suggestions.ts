import { PersonalDataErased } from '#events/erasure.ts';
import { AccountRecommendationEnded, AccountRecommended, SuggestionDismissed } from '#events/suggestions.ts';
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const RECOMMEND = statement(
  'recommended_accounts_insert',
  `insert into recommended_accounts (account_id, position) select * from unnest($1::bigint[], $2::bigint[])`,
);
const END = statement(
  'recommended_accounts_delete',
  'delete from recommended_accounts where account_id = any($1::bigint[])',
);
const DISMISS = statement(
  'dismissed_suggestions_insert',
  `insert into dismissed_suggestions (account_id, target_account_id)
   select * from unnest($1::bigint[], $2::bigint[])`,
);

/** Recommendations of staff for everyone, and the suggestions that users dismissed. */
export const suggestions: Projection = {
  name: 'suggestions',
  version: 2,
  group: MAIN,
  tables: {
    recommended_accounts: `
      account_id bigint primary key,
      position bigint not null`,
    dismissed_suggestions: `
      account_id bigint,
      target_account_id bigint,
      primary key (account_id, target_account_id)`,
  },
  indexes: [],
  handlers: [
    on(AccountRecommended, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(RECOMMEND, [
          ...columns(events, 'account_id'),
          events.map(({ position }) => position.toString()),
        ]);
      },
    }),
    on(AccountRecommendationEnded, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(END, columns(events, 'account_id'));
      },
    }),
    on(SuggestionDismissed, {
      keys: ({ data }) => [`${data.account_id} ${data.target_account_id}`],
      apply: async (events, db) => {
        await db.query(DISMISS, columns(events, 'account_id', 'target_account_id'));
      },
    }),
    onAccounts(
      PersonalDataErased,
      deleteRowsOf('recommended_accounts'),
      deleteRowsOf('dismissed_suggestions'),
    ),
  ],
};
