import type {
  ReplayAccount,
  ReplayKind,
  ReplayPost,
  ReplayReport,
  ReplaySetting,
  ReplayState,
  ReplayStrike,
  Shown,
} from '#mastodon/schemas/index.ts';
import { audienceOf, audienceOfPost, severityFor } from './audience.ts';
import type { AccountFacts, PostFacts, StrikeFacts, World } from './world.ts';

/** A thing whose history is replayed. */
export interface Subject {
  kind: ReplayKind;
  id: string;
}

export interface Reader {
  /** May see what people reported and wrote about reports. */
  readsReports: boolean;
  /** Ids of posts that everyone could see, at the end of the history. */
  openPosts: ReadonlySet<string>;
}

/** The maximum UTF-16 units of a text. */
const MAX_TEXT = 2_000;

/** Returns what a replay shows of a subject. */
export function stateOf(world: World, subject: Subject, reader: Reader): ReplayState {
  const { reports, strikes, posts } = related(world, subject);
  const account = accountOf(world, subject);
  const rule = subject.kind === 'rule' ? world.rules.get(subject.id) : undefined;
  return {
    account: account ? accountView(account, world) : null,
    reports: reports.map((report) => reportView(report, reader)),
    strikes: strikes.map(strikeView),
    posts: posts.map((post) => postView(post, world, reader)),
    domain: (subject.kind === 'domain' ? world.domains.get(subject.id) : undefined) ?? null,
    rule: rule ? { ...rule, place: placeOf(world, rule.id) } : null,
    setting: subject.kind === 'setting' ? settingView(world, subject.id) : null,
  };
}

interface Related {
  reports: ReplayReport[];
  strikes: StrikeFacts[];
  posts: PostFacts[];
}

/** Returns the reports, strikes and posts that belong to a subject. */
function related(world: World, { kind, id }: Subject): Related {
  const [reports, strikes, posts] = [world.reports, world.strikes, world.posts].map((map) => [
    ...map.values(),
  ]) as [ReplayReport[], StrikeFacts[], PostFacts[]];
  if (kind === 'account') {
    return {
      reports: reports.filter((each) => each.target_account_id === id),
      strikes: strikes.filter((each) => each.account_id === id),
      posts,
    };
  }
  if (kind === 'status') {
    const about = (each: { status_ids: readonly string[] }): boolean => each.status_ids.includes(id);
    return {
      reports: reports.filter(about),
      strikes: strikes.filter(about),
      posts: posts.filter((each) => each.id === id),
    };
  }
  if (kind !== 'report') return { reports: [], strikes: [], posts: [] };
  const report = world.reports.get(id);
  return {
    reports: report ? [report] : [],
    strikes: strikes.filter((each) => each.report_id === id),
    posts: report ? posts.filter((each) => report.status_ids.includes(each.id)) : [],
  };
}

/** Returns the account itself, the author of a post, or the account that a report is about. */
function accountOf(world: World, { kind, id }: Subject): AccountFacts | undefined {
  if (kind === 'account') return world.accounts.get(id);
  if (kind === 'status') return world.accounts.get(world.posts.get(id)?.account_id ?? '');
  return kind === 'report' ? world.accounts.get(world.reports.get(id)?.target_account_id ?? '') : undefined;
}

const accountView = (account: AccountFacts, world: World): ReplayAccount => ({
  ...account,
  audience: audienceOf(account, world),
  domain_severity: severityFor(world, account.domain),
  ...cut(account, ['display_name', 'note']),
  fields: account.fields.slice(0, 20).map((field) => field.slice(0, MAX_TEXT).toWellFormed()),
});

function reportView(report: ReplayReport, { readsReports }: Reader): ReplayReport {
  const notes = report.notes.map((note) => ({ ...note, ...told(note, ['content'], readsReports) }));
  return { ...report, ...told(report, ['comment'], readsReports), notes };
}

function strikeView({ account_id: _, ...strike }: StrikeFacts): ReplayStrike {
  return { ...strike, ...cut(strike, ['text', 'appeal_text', 'appeal_note']) };
}

function postView({ marks, ...post }: PostFacts, world: World, reader: Reader): ReplayPost {
  const isShown = post.evidence ? reader.readsReports : reader.openPosts.has(post.id);
  return {
    ...post,
    sensitized_by_staff: marks.length > 0,
    audience: audienceOfPost({ ...post, marks }, world),
    ...told(post, ['text', 'spoiler_text'], isShown),
  };
}

const placeOf = ({ ruleOrder }: World, id: string): number | null => {
  const index = ruleOrder.indexOf(id);
  return index === -1 ? null : index + 1;
};

function settingView({ settings }: World, name: string): ReplaySetting {
  const given = settings[name] ?? null;
  const value = typeof given === 'object' && given !== null ? JSON.stringify(given) : given;
  const isLong = typeof value === 'string' && value.length > MAX_TEXT;
  return {
    name,
    value: (isLong ? value.slice(0, MAX_TEXT).toWellFormed() : value) as ReplaySetting['value'],
    shown: isLong ? 'cut' : 'whole',
  };
}

type Texts<Name extends string> = Record<Name, string> & { shown: Shown };

/** Returns texts that a reader may see, or that they are withheld. */
const told = <Name extends string>(
  thing: Texts<Name>,
  names: readonly Name[],
  isShown: boolean,
): Texts<Name> => (isShown ? cut(thing, names) : withheld(thing, names));

function withheld<Name extends string>(thing: Texts<Name>, names: readonly Name[]): Texts<Name> {
  const empty = Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>;
  return { ...empty, shown: thing.shown === 'erased' ? 'erased' : 'withheld' };
}

function cut<Name extends string>(thing: Texts<Name>, names: readonly Name[]): Texts<Name> {
  const isLong = names.some((name) => thing[name].length > MAX_TEXT);
  const texts = names.map((name) => [name, thing[name].slice(0, MAX_TEXT).toWellFormed()]);
  const shown = isLong && thing.shown === 'whole' ? 'cut' : thing.shown;
  return { ...Object.fromEntries(texts), shown } as Texts<Name>;
}
