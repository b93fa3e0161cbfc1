import { AnnualReportGenerated, AnnualReportRead } from '#events/annual-reports.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, boolean, integer, jsonText, table, tablesOf } from '#kernel/table/index.ts';

const REPORTS = table(
  'annual_reports',
  { account_id: bigint, year: integer, data: jsonText<object>(), read: boolean.defaultsTo('false') },
  ['account_id', 'year'],
);

const keys = ({ data }: { data: { account_id: string; year: number } }): string[] => [
  `${data.account_id} ${data.year}`,
];

/** The stored annual reports of accounts. */
export const annualReports: Projection = {
  name: 'annual-reports',
  version: 2,
  group: MAIN,
  tables: tablesOf(REPORTS),
  indexes: [],
  handlers: [
    on(AnnualReportGenerated, {
      keys,
      apply: REPORTS.insert().each(({ data: { account_id, year, ...data } }) => ({ account_id, year, data })),
    }),
    on(AnnualReportRead, { keys, apply: REPORTS.set('read').each(({ data }) => ({ ...data, read: true })) }),
    onAccounts(PersonalDataErased, deleteRowsOf(REPORTS)),
  ],
};
