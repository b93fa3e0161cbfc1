import { type Statement, statement } from '#kernel/read.ts';
import { languageName } from '#mastodon/language.ts';
import { ofDomain, type SubjectKind } from '../measures/index.ts';

/** One dimension: the statement that counts its items, and their names. */
export interface Dimension {
  subject: SubjectKind;
  count: Statement<CountedRow>;
  humanKey: (key: string) => string;
}

export interface CountedRow {
  /** Null means this server. */
  key: string | null;
  value: string;
}

/** Characters of an app's name in JSON: 1,000, each escaped as at most six, in quotes. */
const MOST_OF_A_NAME = 6_002;

/** Counts with the ids of the period, the subject and the limit as values. */
const counting = (name: string, key: string, from: string): Statement<CountedRow> =>
  statement(
    `admin_dimension_${name}`,
    `with asked as (select $1::bigint as lowest_id, $2::bigint as above_id, $3::text as subject)
     select c.key, c.n::text as value from (select ${key} as key, count(*) as n ${from} group by 1) c
     order by c.n desc, c.key limit $4::int`,
  );

const IN_PERIOD = `s.id >= $1::bigint and s.id < $2::bigint and not s.deleted and s.reblog_of_id is null`;
const LANGUAGE = `coalesce(s.language, 'und')`;
const LOCAL = `from statuses s where s.local and ${IN_PERIOD}`;
const REMOTE = `from statuses s join accounts a on a.id = s.account_id where not s.local and ${IN_PERIOD}`;
const TAGGED = `from status_tags t join statuses s on s.id = t.status_id join accounts a on a.id = s.account_id
  where t.tag = $3::text and s.visibility = 'public' and ${IN_PERIOD}`;
const OF_SERVER = `from accounts a join statuses s on s.account_id = a.id
  where ${ofDomain('a', '$3::text')} and ${IN_PERIOD}`;
/**
 * The key of the app's name in the body, as JSON has it; no text within the body contains such quotes.
 * Searching the whole body would cost ten times as much.
 */
const APPLICATION_KEY = '"application":{"name":';
const APPLICATION = `coalesce(substring(
    substr(s.body, nullif(strpos(s.body, '${APPLICATION_KEY}'), 0) + ${APPLICATION_KEY.length}, ${MOST_OF_A_NAME})
    from '^"(?:[^"\\\\]|\\\\.)*"')::json #>> '{}', 'web')`;
/** The followers that this server knows, regardless of the period. */
const FOLLOWED = statement<CountedRow>(
  'admin_dimension_instance_accounts',
  `with asked as (select $1::bigint as lowest_id, $2::bigint as above_id)
   select a.username as key, coalesce(n.followers_count, 0)::text as value
   from accounts a left join account_stats n on n.account_id = a.id
   where ${ofDomain('a', '$3::text')}
   order by coalesce(n.followers_count, 0) desc, a.username limit $4::int`,
);

const itself = (key: string): string => key;
const language = (key: string): string => (key === 'und' ? key : languageName(key));

/** https://docs.joinmastodon.org/methods/admin/dimensions/#get, without the dimensions about the software. */
const dimensions = {
  languages: { subject: 'here', count: counting('languages', LANGUAGE, LOCAL), humanKey: language },
  sources: {
    subject: 'here',
    count: counting('sources', APPLICATION, LOCAL),
    humanKey: (key) => (key === 'web' ? 'Website' : key),
  },
  servers: { subject: 'here', count: counting('servers', 'a.domain', REMOTE), humanKey: itself },
  tag_servers: { subject: 'tag', count: counting('tag_servers', 'a.domain', TAGGED), humanKey: itself },
  tag_languages: { subject: 'tag', count: counting('tag_languages', LANGUAGE, TAGGED), humanKey: language },
  instance_accounts: { subject: 'domain', count: FOLLOWED, humanKey: itself },
  instance_languages: {
    subject: 'domain',
    count: counting('instance_languages', LANGUAGE, OF_SERVER),
    humanKey: language,
  },
} satisfies Readonly<Record<string, Dimension>>;

export const DIMENSIONS: Readonly<Record<string, Dimension>> = dimensions;
export const DIMENSION_KEYS = Object.keys(dimensions) as (keyof typeof dimensions)[];

/** The dimensions of this server in one statement; the last value has the names of those that are wanted. */
export const DIMENSIONS_HERE: Statement<CountedRow & { name: string }> = statement(
  'admin_dimensions_here',
  Object.entries(DIMENSIONS)
    .flatMap(([name, { subject, count }]) =>
      subject === 'here'
        ? [`select '${name}' as name, d.* from (${count.text}) d where '${name}' = any($5::text[])`]
        : [],
    )
    .join(' union all '),
);
