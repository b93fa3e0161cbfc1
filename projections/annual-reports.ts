import { AnnualReportGenerated, AnnualReportRead } from '#events/annual-reports.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'annual_reports_insert',
  `insert into annual_reports (account_id, year, data) select * from unnest($1::bigint[], $2::int[], $3::text[])`,
);
const READ = statement(
  'annual_reports_read',
  `update annual_reports r set read = true from unnest($1::bigint[], $2::int[]) as n (account_id, year)
   where r.account_id = n.account_id and r.year = n.year`,
);

const keys = ({ data }: { data: { account_id: string; year: number } }): string[] => [
  `${data.account_id} ${data.year}`,
];

/** The stored annual reports of accounts. */
export const annualReports: Projection = {
  name: 'annual-reports',
  version: 2,
  group: MAIN,
  tables: {
    /** `data` is a JSON text. */
    annual_reports: `
      account_id bigint,
      year integer,
      data text not null,
      read boolean not null default false,
      primary key (account_id, year)`,
  },
  indexes: [],
  handlers: [
    on(AnnualReportGenerated, {
      keys,
      apply: async (events, db) => {
        await db.query(INSERT, [
          ...columns(events, 'account_id', 'year'),
          events.map(({ data: { account_id: _account, year: _year, ...data } }) => JSON.stringify(data)),
        ]);
      },
    }),
    on(AnnualReportRead, {
      keys,
      apply: async (events, db) => {
        await db.query(READ, columns(events, 'account_id', 'year'));
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('annual_reports')),
  ],
};
