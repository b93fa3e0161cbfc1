import { PersonalDataErased } from '#events/erasure.ts';
import {
  FilterCreated,
  FilterDeleted,
  type FilterKeyword,
  FilterKeywordsEdited,
  FilterStatusAdded,
  FilterStatusRemoved,
  FilterUpdated,
} from '#events/filters.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import {
  DELETE,
  DELETE_KEYWORDS,
  DELETE_KEYWORDS_OF,
  DELETE_STATUSES,
  DELETE_STATUSES_OF,
  ERASE,
  INSERT,
  INSERT_STATUSES,
  PUT_KEYWORDS,
  TOUCH,
  UPDATE,
} from './statements.ts';

interface OfFilter {
  filter_id: string;
  account_id: string;
}
type KeywordRow = FilterKeyword & OfFilter;

/** Events of different filters are independent. */
const keys = ({ data }: { data: OfFilter }): string[] => [data.filter_id];

/** Filters as their owners set them. `filter_revisions` tells when compiled matchers are out of date. */
export const filters: Projection = {
  name: 'filters',
  version: 2,
  group: MAIN,
  tables: {
    filters: `
      id bigint primary key,
      account_id bigint not null,
      title text not null,
      context text not null,
      filter_action text not null,
      expires_at timestamptz`,
    filter_keywords: `
      id bigint primary key,
      filter_id bigint not null,
      account_id bigint not null,
      keyword text not null,
      whole_word boolean not null`,
    filter_statuses: `
      id bigint primary key,
      filter_id bigint not null,
      account_id bigint not null,
      status_id bigint not null`,
    filter_revisions: `
      account_id bigint primary key,
      revision bigint not null`,
  },
  handlerIndexes: [
    'create index filter_keywords_of_filter on filter_keywords (filter_id, id)',
    'create index filter_statuses_of_filter on filter_statuses (filter_id, id)',
    'create index filters_of_account on filters (account_id, id)',
  ],
  indexes: ['create index filter_keywords_of_account on filter_keywords (account_id, id)'],
  handlers: [
    on(FilterCreated, {
      keys,
      apply: async (events, db) => {
        const created = events.map(({ data }) => data);
        const keywords = created.flatMap((data) => data.keywords.map((each) => rowOf(data, each)));
        await Promise.all([
          db.query(INSERT, [
            created.map(({ filter_id }) => filter_id),
            created.map(({ account_id }) => account_id),
            created.map(({ title }) => title),
            created.map(({ context }) => JSON.stringify(context)),
            created.map(({ filter_action }) => filter_action),
            created.map(({ expires_at }) => expires_at),
          ]),
          putKeywords(keywords, db),
          touch(events, db),
        ]);
      },
    }),
    on(FilterUpdated, {
      keys,
      apply: async (events, db) => {
        const updated = events.map(({ data }) => data);
        await Promise.all([
          db.query(UPDATE, [
            updated.map(({ filter_id }) => filter_id),
            updated.map(({ title }) => title ?? null),
            updated.map(({ context }) => (context ? JSON.stringify(context) : null)),
            updated.map(({ filter_action }) => filter_action ?? null),
            updated.map(({ expires_at }) => expires_at !== undefined),
            updated.map(({ expires_at }) => expires_at ?? null),
          ]),
          touch(events, db),
        ]);
      },
    }),
    on(FilterKeywordsEdited, {
      keys,
      apply: async (events, db) => {
        const edited = events.map(({ data }) => data);
        const put = edited.flatMap((data) =>
          [...data.added, ...data.changed].map((each) => rowOf(data, each)),
        );
        const removed = edited.flatMap((data) => data.removed);
        await Promise.all([putKeywords(put, db), db.query(DELETE_KEYWORDS, [removed]), touch(events, db)]);
      },
    }),
    on(FilterStatusAdded, {
      keys,
      apply: async (events, db) => {
        const added = events.map(({ data }) => data);
        await Promise.all([
          db.query(INSERT_STATUSES, [
            added.map(({ id }) => id),
            added.map(({ filter_id }) => filter_id),
            added.map(({ account_id }) => account_id),
            added.map(({ status_id }) => status_id),
          ]),
          touch(events, db),
        ]);
      },
    }),
    on(FilterStatusRemoved, {
      keys,
      apply: async (events, db) => {
        await Promise.all([
          db.query(DELETE_STATUSES, [events.map(({ data }) => data.id)]),
          touch(events, db),
        ]);
      },
    }),
    on(FilterDeleted, {
      keys,
      apply: async (events, db) => {
        const ids = events.map(({ data }) => data.filter_id);
        await Promise.all([
          db.query(DELETE, [ids]),
          db.query(DELETE_KEYWORDS_OF, [ids]),
          db.query(DELETE_STATUSES_OF, [ids]),
          touch(events, db),
        ]);
      },
    }),
    onAccounts(PersonalDataErased, ERASE, deleteRowsOf('filter_revisions')),
  ],
};

const rowOf = ({ filter_id, account_id }: OfFilter, keyword: FilterKeyword): KeywordRow => ({
  filter_id,
  account_id,
  ...keyword,
});

async function putKeywords(rows: readonly KeywordRow[], db: Db): Promise<void> {
  if (rows.length === 0) return;
  await db.query(PUT_KEYWORDS, [
    rows.map(({ id }) => id),
    rows.map(({ filter_id }) => filter_id),
    rows.map(({ account_id }) => account_id),
    rows.map(({ keyword }) => keyword),
    rows.map(({ whole_word }) => whole_word),
  ]);
}

async function touch(events: readonly RecordedEvent<string, OfFilter>[], db: Db): Promise<void> {
  await db.query(TOUCH, [
    events.map(({ data }) => data.account_id),
    events.map(({ position }) => position.toString()),
  ]);
}
