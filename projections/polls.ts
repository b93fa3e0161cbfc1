import { PersonalDataErased } from '#events/erasure.ts';
import { VoteCast } from '#events/polls.ts';
import { pollEmojisJson } from '#events/status-body.ts';
import { PollClosed, PollTallied, StatusCreated, type StatusData, StatusEdited } from '#events/statuses.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';

const INSERT = statement(
  'polls_insert',
  `insert into polls (id, public_id, status_id, account_id, options, multiple, hide_totals, expires_at, emojis, local)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bool[], $7::bool[],
                        $8::timestamptz[], $9::text[], $10::bool[])
   on conflict (id) do update set hide_totals = excluded.hide_totals, expires_at = excluded.expires_at,
     emojis = excluded.emojis`,
);
const CLOSE = statement('polls_close', 'update polls set closed = true where id = any($1)');
/** One row per choice, in the order of the votes; one voter may vote several times. */
const VOTE = statement(
  'poll_votes_insert',
  `insert into poll_votes as v (poll_id, account_id, choices)
   select poll_id, account_id, array_agg(choice order by place)
   from unnest($1::bigint[], $2::bigint[], $3::int[]) with ordinality as n (poll_id, account_id, choice, place)
   group by 1, 2
   on conflict (poll_id, account_id) do update set choices = v.choices || excluded.choices`,
);
const TALLY = statement(
  'poll_tallies_count',
  `insert into poll_tallies as t (poll_id, choice, votes)
   select poll_id, choice, count(*) from unnest($1::bigint[], $2::int[]) as n (poll_id, choice) group by 1, 2
   on conflict (poll_id, choice) do update set votes = t.votes + excluded.votes`,
);
const VOTERS = statement(
  'polls_voters',
  `update polls p set voters_count = p.voters_count + n.voters
   from (select id, count(*) as voters from unnest($1::bigint[]) as v (id) group by id) n where p.id = n.id`,
);
/** Voters of one site who became known after the poll was posted. */
const STRANGERS = statement(
  'poll_strangers_count',
  `insert into poll_strangers as s (poll_id, site, voters)
   select poll_id, site, count(*) from unnest($1::bigint[], $2::text[]) as n (poll_id, site) group by 1, 2
   on conflict (poll_id, site) do update set voters = s.voters + excluded.voters`,
);
const SET_VOTERS = statement(
  'polls_set_voters',
  `update polls p set voters_count = n.voters from unnest($1::bigint[], $2::int[]) as n (id, voters) where p.id = n.id`,
);
const SET_TALLIES = statement(
  'poll_tallies_set',
  `insert into poll_tallies (poll_id, choice, votes) select * from unnest($1::bigint[], $2::int[], $3::int[])
   on conflict (poll_id, choice) do update set votes = excluded.votes`,
);

/** Nothing is written for a post without a poll. */
const askedIn = ({ data: { poll } }: { data: StatusData }): string[] => (poll ? [`poll ${poll.id}`] : []);

/** Polls with their votes. The question before an edit stays; nothing refers to it. */
export const polls: Projection = {
  name: 'polls',
  version: 11,
  group: MAIN,
  tables: {
    polls: `
      id bigint primary key,
      public_id bigint not null,
      status_id bigint not null,
      account_id bigint not null,
      options text not null,
      multiple boolean not null,
      hide_totals boolean not null,
      expires_at timestamptz,
      emojis text,
      local boolean not null,
      closed boolean not null default false,
      voters_count integer not null default 0`,
    poll_votes: `
      poll_id bigint,
      account_id bigint,
      choices integer[] not null,
      primary key (poll_id, account_id)`,
    poll_tallies: `
      poll_id bigint,
      choice integer,
      votes integer not null,
      primary key (poll_id, choice)`,
    poll_strangers: `
      poll_id bigint,
      site text,
      voters integer not null,
      primary key (poll_id, site)`,
  },
  handlerIndexes: ['create index poll_votes_account on poll_votes (account_id, poll_id)'],
  indexes: [
    'create index polls_public on polls (public_id)',
    'create index polls_open on polls (local, expires_at) where not closed and expires_at is not null',
  ],
  handlers: [
    on(StatusCreated, {
      keys: askedIn,
      apply: (events, db) =>
        ask(
          events.map(({ data }) => data),
          db,
        ),
    }),
    on(StatusEdited, {
      keys: askedIn,
      apply: (events, db) =>
        ask(
          events.map(({ data }) => data),
          db,
        ),
    }),
    on(VoteCast, {
      keys: ({ data }) => [`poll ${data.poll_id}`],
      additive: true,
      apply: async (events, db) => {
        const votes = events.map(({ data }) => data);
        const chosen = votes.flatMap(({ poll_id, account_id, choices }) =>
          choices.map((choice) => ({ poll_id, account_id, choice })),
        );
        const polls = chosen.map(({ poll_id }) => poll_id);
        const choices = chosen.map(({ choice }) => choice);
        await db.query(VOTE, [polls, chosen.map(({ account_id }) => account_id), choices]);
        await db.query(TALLY, [polls, choices]);
        const first = votes.filter(({ more }) => more !== true);
        await db.query(VOTERS, [first.map(({ poll_id }) => poll_id)]);
        await countStrangers(votes, db);
      },
    }),
    on(PollTallied, {
      keys: ({ data }) => [`poll ${data.poll_id}`],
      apply: async (events, db) => {
        const tallies = events.map(({ data }) => data);
        const rows = tallies.flatMap(({ poll_id, votes }) =>
          votes.map((count, choice) => ({ poll_id, choice, count })),
        );
        await db.query(SET_TALLIES, [
          rows.map(({ poll_id }) => poll_id),
          rows.map(({ choice }) => choice),
          rows.map(({ count }) => count),
        ]);
        await db.query(SET_VOTERS, [
          tallies.map(({ poll_id }) => poll_id),
          tallies.map(({ voters }) => voters),
        ]);
      },
    }),
    on(PollClosed, {
      keys: ({ data }) => [`poll ${data.poll_id}`],
      apply: async (events, db) => {
        await db.query(CLOSE, [events.map(({ data }) => data.poll_id)]);
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('polls'), deleteRowsOf('poll_votes')),
  ],
};

async function countStrangers(
  votes: readonly { poll_id: string; stranger_of?: string | undefined }[],
  db: Db,
): Promise<void> {
  const strangers = votes.flatMap(({ poll_id, stranger_of: site }) =>
    site === undefined ? [] : [{ poll_id, site }],
  );
  if (strangers.length === 0) return;
  await db.query(STRANGERS, [strangers.map(({ poll_id }) => poll_id), strangers.map(({ site }) => site)]);
}

/** Inserts the polls of these posts, or changes the end of an existing one. */
async function ask(posts: readonly StatusData[], db: Db): Promise<void> {
  const asked = posts.flatMap((post) => (post.poll ? [{ poll: post.poll, post }] : []));
  if (asked.length === 0) return;
  await db.query(INSERT, [
    asked.map(({ poll }) => poll.id),
    asked.map(({ poll }) => poll.public_id ?? poll.id),
    asked.map(({ post }) => post.id),
    asked.map(({ post }) => post.account_id),
    asked.map(({ poll }) => JSON.stringify(poll.options)),
    asked.map(({ poll }) => poll.multiple),
    asked.map(({ poll }) => poll.hide_totals),
    asked.map(({ poll }) => poll.expires_at),
    asked.map(({ post }) => pollEmojisJson(post)),
    asked.map(({ post }) => post.local),
  ]);
}
