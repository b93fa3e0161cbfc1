import type { AccountEvent } from '#events/accounts.ts';
import { DEFAULT_SETTINGS, type InstanceEvent } from '#events/instance.ts';
import type { ReportEvent, ReportFiled } from '#events/reports.ts';
import type { StatusEvent } from '#events/statuses.ts';
import type { EventOf } from '#kernel/event.ts';
import { evolveAccount } from './evolve-account.ts';
import { type DomainEvent, evolveDomain } from './evolve-domain.ts';
import { evolveInstance } from './evolve-instance.ts';
import { evolvePost } from './evolve-post.ts';
import { evolveReport } from './evolve-report.ts';
import { evolveStrikes } from './evolve-strikes.ts';
import { type Past, withValue, type World } from './world.ts';

/** The state before any event. */
export const NOTHING: World = {
  accounts: new Map(),
  posts: new Map(),
  reports: new Map(),
  strikes: new Map(),
  domains: new Map(),
  rules: new Map(),
  ruleOrder: [],
  settings: { ...DEFAULT_SETTINGS },
};

const STREAM = /^(account|recommendation|status|report|domain-block|domain-allow|email-domain-block)-(.+)$/;

/** Returns the kind of thing that a stream is about, and its id. */
export function thingOf(stream: string): { kind: string; id: string } {
  const [, kind = 'instance', id = ''] = STREAM.exec(stream) ?? [];
  if (kind === 'recommendation') return { kind: 'account', id };
  return { kind: kind.includes('domain') ? 'domain' : kind, id };
}

/** Returns the state after one more event. Pure. */
export function evolve(world: World, event: Past): World {
  const { kind, id } = thingOf(event.stream);
  // The kind of the stream says which events it has.
  switch (kind) {
    case 'account': {
      const ofAccount = event as Past<AccountEvent>;
      const accounts = withValue(world.accounts, id, evolveAccount(world.accounts.get(id), ofAccount));
      return { ...world, accounts, strikes: evolveStrikes(world.strikes, ofAccount) };
    }
    case 'status': {
      const post = evolvePost(world.posts.get(id), event as Past<StatusEvent>);
      return { ...world, posts: withValue(world.posts, id, post) };
    }
    case 'report': {
      const report = evolveReport(world.reports.get(id), event as Past<ReportEvent>);
      const posts = event.type === 'ReportFiled' ? withEvidence(world.posts, event.data) : world.posts;
      return { ...world, reports: withValue(world.reports, id, report), posts };
    }
    case 'domain': {
      const domain = evolveDomain(world.domains.get(id), event as Past<DomainEvent>);
      return { ...world, domains: withValue(world.domains, id, domain) };
    }
    default:
      return { ...world, ...evolveInstance(world, event as Past<InstanceEvent>) };
  }
}

/** Marks the posts of a report: later edits do not change what was reported. */
function withEvidence(
  posts: World['posts'],
  { statuses }: EventOf<typeof ReportFiled>['data'],
): World['posts'] {
  return statuses.reduce((all, { id }) => {
    const post = all.get(id);
    return post ? withValue(all, id, { ...post, evidence: true }) : all;
  }, posts);
}

/** Returns the state after all of these events. */
export const foldWorld = (events: readonly Past[], world = NOTHING): World => events.reduce(evolve, world);
