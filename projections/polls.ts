import { PersonalDataErased } from '#events/erasure.ts';
import { VoteCast } from '#events/polls.ts';
import { pollEmojisJson } from '#events/status-body.ts';
import { PollClosed, PollTallied, StatusCreated, type StatusData, StatusEdited } from '#events/statuses.ts';
import { dataOf, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import {
  batch,
  bigint,
  boolean,
  integer,
  integers,
  jsonText,
  table,
  tablesOf,
  text,
  timestamptz,
  together,
} from '#kernel/table/index.ts';

const POLLS = table(
  'polls',
  {
    id: bigint,
    public_id: bigint,
    status_id: bigint,
    account_id: bigint,
    options: jsonText<readonly string[]>(),
    multiple: boolean,
    hide_totals: boolean,
    expires_at: timestamptz.orNull,
    emojis: text.orNull,
    local: boolean,
    closed: boolean.defaultsTo('false'),
    voters_count: integer.defaultsTo('0'),
  },
  ['id'],
);
const VOTES = table('poll_votes', { poll_id: bigint, account_id: bigint, choices: integers }, [
  'poll_id',
  'account_id',
]);
const TALLIES = table('poll_tallies', { poll_id: bigint, choice: integer, votes: integer }, [
  'poll_id',
  'choice',
]);
const STRANGERS = table('poll_strangers', { poll_id: bigint, site: text, voters: integer }, [
  'poll_id',
  'site',
]);

/** One row per choice, in the order of the votes; one voter may vote several times. */
const VOTE = batch(
  'poll_votes_insert',
  { poll_id: bigint, account_id: bigint, choice: integer, place: integer },
  (rows) => `insert into poll_votes as v (poll_id, account_id, choices)
   select poll_id, account_id, array_agg(choice order by place) from ${rows} group by 1, 2
   on conflict (poll_id, account_id) do update set choices = v.choices || excluded.choices`,
);
const TALLY = batch(
  'poll_tallies_count',
  { poll_id: bigint, choice: integer },
  (rows) => `insert into poll_tallies as t (poll_id, choice, votes)
   select poll_id, choice, count(*) from ${rows} group by 1, 2
   on conflict (poll_id, choice) do update set votes = t.votes + excluded.votes`,
);
const VOTERS = batch(
  'polls_voters',
  { poll_id: bigint },
  (rows) => `update polls p set voters_count = p.voters_count + v.voters
   from (select poll_id, count(*) as voters from ${rows} group by poll_id) v where p.id = v.poll_id`,
);
/** Voters of one site who became known after the poll was posted. */
const STRANGE = batch(
  'poll_strangers_count',
  { poll_id: bigint, site: text },
  (rows) => `insert into poll_strangers as s (poll_id, site, voters)
   select poll_id, site, count(*) from ${rows} group by 1, 2
   on conflict (poll_id, site) do update set voters = s.voters + excluded.voters`,
);
const ASK = POLLS.merge('hide_totals', 'expires_at', 'emojis');

/** Nothing is written for a post without a poll. */
const askedIn = ({ data: { poll } }: { data: StatusData }): string[] => (poll ? [`poll ${poll.id}`] : []);

/** Polls with their votes. The question before an edit stays; nothing refers to it. */
export const polls: Projection = {
  name: 'polls',
  version: 11,
  group: MAIN,
  tables: tablesOf(POLLS, VOTES, TALLIES, STRANGERS),
  handlerIndexes: ['create index poll_votes_account on poll_votes (account_id, poll_id)'],
  indexes: [
    'create index polls_public on polls (public_id)',
    'create index polls_open on polls (local, expires_at) where not closed and expires_at is not null',
  ],
  handlers: [
    on(StatusCreated, { keys: askedIn, apply: ASK.each(({ data }) => pollsOf(data)) }),
    on(StatusEdited, { keys: askedIn, apply: ASK.each(({ data }) => pollsOf(data)) }),
    on(VoteCast, {
      keys: ({ data }) => [`poll ${data.poll_id}`],
      additive: true,
      apply: async (events, db) => {
        const votes = dataOf(events);
        const chosen = votes
          .flatMap(({ poll_id, account_id, choices }) =>
            choices.map((choice) => ({ poll_id, account_id, choice })),
          )
          .map((choice, place) => ({ ...choice, place }));
        await VOTE(chosen, db);
        await TALLY.from(chosen, db);
        await VOTERS(
          votes.flatMap(({ poll_id, more }) => (more === true ? [] : [{ poll_id }])),
          db,
        );
        await STRANGE(
          votes.flatMap(({ poll_id, stranger_of: site }) => (site === undefined ? [] : [{ poll_id, site }])),
          db,
        );
      },
    }),
    on(PollTallied, {
      keys: ({ data }) => [`poll ${data.poll_id}`],
      apply: together(
        TALLIES.put().each(({ data: { poll_id, votes } }) =>
          votes.map((count, choice) => ({ poll_id, choice, votes: count })),
        ),
        POLLS.set('voters_count').each(({ data }) => ({ id: data.poll_id, voters_count: data.voters })),
      ),
    }),
    on(PollClosed, {
      keys: ({ data }) => [`poll ${data.poll_id}`],
      apply: POLLS.set('closed').each(({ data }) => ({ id: data.poll_id, closed: true })),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(POLLS), deleteRowsOf(VOTES)),
  ],
};

const pollsOf = (post: StatusData) =>
  post.poll
    ? [
        {
          ...post.poll,
          public_id: post.poll.public_id ?? post.poll.id,
          status_id: post.id,
          account_id: post.account_id,
          emojis: pollEmojisJson(post),
          local: post.local,
        },
      ]
    : [];
