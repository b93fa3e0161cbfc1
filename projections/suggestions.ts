import { PersonalDataErased } from '#events/erasure.ts';
import { AccountRecommendationEnded, AccountRecommended, SuggestionDismissed } from '#events/suggestions.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, table, tablesOf } from '#kernel/table/index.ts';

const RECOMMENDED = table('recommended_accounts', { account_id: bigint, position: bigint }, ['account_id']);
const DISMISSED = table('dismissed_suggestions', { account_id: bigint, target_account_id: bigint }, [
  'account_id',
  'target_account_id',
]);

/** Recommendations of staff for everyone, and the suggestions that users dismissed. */
export const suggestions: Projection = {
  name: 'suggestions',
  version: 2,
  group: MAIN,
  tables: tablesOf(RECOMMENDED, DISMISSED),
  indexes: [],
  handlers: [
    on(AccountRecommended, {
      keys: ({ data }) => [data.account_id],
      apply: RECOMMENDED.insert().each(({ data, position }) => ({ ...data, position })),
    }),
    on(AccountRecommendationEnded, {
      keys: ({ data }) => [data.account_id],
      apply: RECOMMENDED.remove().each(({ data }) => data),
    }),
    on(SuggestionDismissed, {
      keys: ({ data }) => [`${data.account_id} ${data.target_account_id}`],
      apply: DISMISSED.insert().each(({ data }) => data),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(RECOMMENDED), deleteRowsOf(DISMISSED)),
  ],
};
