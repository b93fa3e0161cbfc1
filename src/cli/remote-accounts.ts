import { Argument, type Command } from 'commander';
import { eraseGone } from '#commands/erasure/index.ts';
import { removeErasedAccount, removeRemoteAccount } from '#commands/federation/index.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import type { Resolver } from '#kernel/services/federation.ts';
import { accountIdOf } from '#queries/accounts/index.ts';
import {
  accountsOfDomain,
  remoteAccountsBelow,
  type RemoteName,
  unreferencedAccounts,
} from '#queries/federation/index.ts';
import { eachGiven } from './each.ts';
import { knownDomain } from './known-domain.ts';
import { eachBelow, maintain, type Maintenance } from './maintenance.ts';
import { asOperator, type Operator, projecting } from './operator.ts';

interface DryRun {
  dryRun?: true;
}

/** Adds `rookery accounts cull`, `prune` and `refresh`, modelled on `tootctl accounts`. */
export function addRemoteAccounts(accounts: Command): void {
  accounts
    .command('cull')
    .description('Remove accounts of other servers that their servers do not have any more')
    .argument('[domains...]', 'only accounts there; all unless given')
    .option('--dry-run', 'only count them')
    .action((domains: string[], options: DryRun) => cull(domains.map(knownDomain), options));
  accounts
    .command('prune')
    .description('Remove accounts of other servers that nobody here ever met, and that have no posts here')
    .option('--dry-run', 'only count them')
    .action((options: DryRun) => prune(options));
  accounts
    .command('refresh')
    .description('Fetch accounts of other servers anew')
    .addArgument(new Argument('[accts...]', 'name@domain'))
    .option('--domain <domain>', 'all known accounts of this server instead')
    .action((accts: string[], options: { domain?: string }) => refresh(accts, options));
}

/** Adds `rookery domains purge`. */
export function addPurge(domains: Command): void {
  domains
    .command('purge')
    .description(
      'Remove all accounts of servers with everything of theirs; block them first if they still run',
    )
    .argument('<domains...>')
    .option('--dry-run', 'only count them')
    .action((names: string[], options: DryRun) => purge(names.map(knownDomain), options));
}

/** Returns domains as an option that is recorded, which has 300 characters at most. */
const recorded = (domains: readonly string[]): { domains: string } => ({
  domains: domains.join(' ').slice(0, 300),
});

type Run = Pick<Maintenance<RemoteName>, 'task' | 'options' | 'items' | 'wanted' | 'dryRun'>;

/** Erases the accounts here and now, so that their names are free at the end. */
const removeAccounts = (operator: Operator, run: Run): Promise<number> =>
  projecting(operator, () =>
    maintain(operator, {
      ...run,
      done: 'Removed',
      unit: 'accounts',
      act: async (ctx, { id, uri, username, domain }) => {
        await removeRemoteAccount(ctx, id);
        await ctx.waitForReadModels();
        await eraseGone(ctx, id, new AbortController().signal);
        return removeErasedAccount(ctx, { id, uri, handle: `${username}@${domain}`.toLowerCase() });
      },
    }),
  );

/** Failed requests after which a server is not asked about its other accounts. */
const MAX_FAILURES = 3;

/** Asks the servers of accounts whether these are gone, and gives up on servers that do not answer. */
class GoneAccounts {
  readonly #resolver: Resolver;
  readonly #failures = new Map<string, number>();

  constructor(resolver: Resolver) {
    this.#resolver = resolver;
  }

  /** The servers that did not answer. */
  get silent(): string[] {
    return [...this.#failures].filter(([, count]) => count >= MAX_FAILURES).map(([domain]) => domain);
  }

  async has({ uri, domain }: RemoteName): Promise<boolean> {
    const failures = this.#failures.get(domain) ?? 0;
    if (failures >= MAX_FAILURES) return false;
    const isGone = await this.#resolver.isGone(uri, new AbortController().signal);
    if (isGone === undefined) this.#failures.set(domain, failures + 1);
    return isGone === true;
  }
}

const cull = (domains: string[], { dryRun }: DryRun): Promise<void> =>
  asOperator(async (operator) => {
    const { app, ctx, catchUp } = operator;
    await catchUp();
    const gone = new GoneAccounts(ctx.services.resolver);
    await removeAccounts(operator, {
      task: 'accounts_cull',
      options: domains.length === 0 ? {} : recorded(domains),
      items: eachBelow((before, limit) => remoteAccountsBelow(app.db, domains, before, limit)),
      wanted: (account) => gone.has(account),
      dryRun,
    });
    for (const domain of gone.silent) process.stderr.write(`${domain}: does not answer, skipped\n`);
  });

const prune = ({ dryRun }: DryRun): Promise<void> =>
  asOperator(async (operator) => {
    await operator.catchUp();
    await removeAccounts(operator, {
      task: 'accounts_prune',
      options: {},
      items: eachBelow((before, limit) => unreferencedAccounts(operator.app.projectionDb, before, limit)),
      dryRun,
    });
  });

const purge = (domains: string[], { dryRun }: DryRun): Promise<void> =>
  asOperator(async (operator) => {
    const { app, catchUp } = operator;
    await catchUp();
    async function* all(): AsyncGenerator<RemoteName> {
      for (const domain of domains) {
        yield* eachBelow((before, limit) => accountsOfDomain(app.db, domain, before, limit));
      }
    }
    await removeAccounts(operator, {
      task: 'domains_purge',
      options: recorded(domains),
      items: all(),
      dryRun,
    });
  });

const refresh = (accts: string[], { domain }: { domain?: string }): Promise<void> =>
  asOperator(async (operator) => {
    const { app, ctx, catchUp } = operator;
    if ((accts.length === 0) === (domain === undefined)) throw invalid('Name accounts, or a --domain');
    await catchUp();
    await projecting(operator, async () => {
      const named = domain === undefined ? accts : await urisOf(operator, knownDomain(domain));
      await eachGiven('Refreshed', named, async (name) => {
        if (domain === undefined && (await accountIdOf(app.db, ctx.instance, name)) === undefined) {
          throw new RookeryError('not_found', 'is not known here');
        }
        if ((await ctx.services.resolver.identify(name)) === undefined) {
          throw new RookeryError('unavailable', 'its server does not have it, or does not answer');
        }
      });
    });
    await catchUp();
  });

async function urisOf({ app }: Operator, domain: string): Promise<string[]> {
  const uris: string[] = [];
  const all = eachBelow((before, limit) => remoteAccountsBelow(app.db, [domain], before, limit));
  for await (const { uri } of all) uris.push(uri);
  return uris;
}
