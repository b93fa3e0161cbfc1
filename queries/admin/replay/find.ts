import { z } from 'zod';
import { DEFAULT_SETTINGS } from '#events/instance.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { isId } from '#kernel/ids.ts';
import { statement } from '#kernel/read.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { type ReplaySubject, replaySubjectSchema } from '#mastodon/schemas/index.ts';
import { accountIdOfHandle } from '#queries/accounts/index.ts';
import { shownDomain } from '#queries/entities/handles.ts';
import { thingOf } from './fold.ts';
import { streamsOf } from './history.ts';
import { firstWords } from './names.ts';
import { STAFF } from './show.ts';

const MAX_FOUND = 20;
const MAX_TEXT = 500;

/**
 * SQL: what a post or a report is called: the account `w`, and the first words of a post `s` that everybody can read, or
 * the category of a report `r`.
 */
const WORDS = `case when w.id is not null then '@' || w.username || coalesce('@' || ${shownDomain('w')}, '')
    || case when r.id is not null then ', ' || r.category
      when s.visibility in ('public', 'unlisted') and not s.deleted
      then ': ' || left(coalesce(nullif(s.spoiler_text, ''), s.plain), 200) else '' end end`;

/** The targets of the newest entries, each once. */
const RECENT = statement<ReplaySubject & { words: string | null }>(
  'replay_recent',
  `select e.kind, e.id, coalesce(a.username || coalesce('@' || ${shownDomain()}, ''), e.name,
     (select text from instance_rules where e.kind = 'rule' and id::text = e.id), e.id) as name,
     ${WORDS} as words
   from (
     select distinct on (kind, id) * from (
       select position, case target_type when 'domain_block' then 'domain' when 'domain_allow' then 'domain'
           when 'report_note' then 'report' else target_type end as kind,
         case when target_type in ('domain_block', 'domain_allow') then target_name
           when target_type = 'report_note' then report_id::text else target_id::text end as id,
         target_name as name, case when target_type = 'account' then target_id end as account
       from audit_entries
       where target_type in ('account', 'status', 'report', 'report_note', 'domain_block', 'domain_allow', 'rule')
         and actor_kind <> 'automation'
       order by position desc limit 200) newest
     where id is not null order by kind, id, position desc) e
   left join accounts a on a.id = e.account
     left join statuses s on s.id = case when e.kind = 'status' then e.id::bigint end
     left join reports r on r.id = case when e.kind = 'report' then e.id::bigint end
     left join accounts w on w.id = coalesce(s.account_id, r.target_account_id)
   order by e.position desc limit ${MAX_FOUND}`,
);

/** Finds subjects of replays by a handle, a domain, an id or a setting; without a text, those that were acted on last. */
export const findSubjects = endpoint({
  ...STAFF,
  path: '/api/v1/admin/audit/subjects',
  summary: 'Find accounts, posts, reports, domains, rules and settings whose history can be replayed',
  query: z.object({
    q: z
      .string()
      .max(MAX_TEXT)
      .optional()
      .describe('A handle, a domain, an ID, or a part of the name of a setting.'),
  }),
  reply: z.array(replaySubjectSchema),
  handler: async (ctx, { query: { q = '' } }) => {
    const text = q.trim();
    if (text === '') return { json: (await ctx.db.query(RECENT)).map(named) };
    const [account, others] = await Promise.all([accountNamed(ctx, text), withEvents(ctx, text)]);
    return { json: [...account, ...others, ...settingsNamed(text)].slice(0, MAX_FOUND) };
  },
});

/** Names a post or a report by what people know of it. */
const named = ({ kind, id, name, words }: ReplaySubject & { words: string | null }): ReplaySubject => ({
  kind,
  id,
  name: words === null ? name : firstWords(words),
});

async function accountNamed({ db, instance }: UserContext, text: string): Promise<ReplaySubject[]> {
  const handle = text.replace(/^@/, '');
  const id = await accountIdOfHandle(db, instance, handle);
  return id === undefined ? [] : [{ kind: 'account', id, name: handle }];
}

/** Returns the subjects with this id or domain whose streams have events. */
async function withEvents({ services }: UserContext, given: string): Promise<ReplaySubject[]> {
  const kindsOf = isId(given) ? (['account', 'status', 'report'] as const) : (['domain'] as const);
  const text = canonicalDomain(given) ?? given;
  const wanted = kindsOf.flatMap((kind) => streamsOf({ kind, id: text }) ?? []);
  if (wanted.length === 0) return [];
  const events = await services.pastEvents.ofStreams(wanted);
  const kinds = [...new Set(events.map(({ stream }) => thingOf(stream).kind))] as ReplaySubject['kind'][];
  return kinds.map((kind) => ({ kind, id: text, name: text }));
}

const settingsNamed = (text: string): ReplaySubject[] =>
  Object.keys(DEFAULT_SETTINGS)
    .filter((name) => name.includes(text.toLowerCase().replaceAll(' ', '_')))
    .map((name) => ({ kind: 'setting', id: name, name }));
