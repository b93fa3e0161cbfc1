import { Argument, type Command } from 'commander';
import { removeErasedAccount, removeRemoteAccount } from '../../commands/federation/index.ts';
import { eraseGone } from '../../commands/erasure/index.ts';
import { accountIdOf } from '../../queries/accounts/index.ts';
import {
  accountsOfDomain,
  remoteAccountsBelow,
  unreferencedAccounts,
  type RemoteName,
} from '../../queries/federation/index.ts';
import type { CommandContext } from '../kernel/context.ts';
import { invalid, RookeryError } from '../kernel/errors.ts';
import { knownDomain } from './known-domain.ts';
import { eachGiven } from './each.ts';
import { eachBelow, maintain, type Maintenance } from './maintenance.ts';
import { asOperator, projecting, type Operator } from './operator.ts';

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

type Run = Pick<Maintenance<RemoteName>, 'task' | 'options' | 'done' | 'items' | 'dryRun'> & {
  /** Which of the accounts are removed; all unless given. */
  only?: (ctx: CommandContext, account: RemoteName) => Promise<boolean>;
};

/** Erases the accounts here and now, so that their names are free at the end. */
const removeAccounts = (operator: Operator, { only, ...run }: Run): Promise<number> =>
  projecting(operator, () =>
    maintain(operator, {
      ...run,
      unit: 'accounts',
      act: async (ctx, account) => {
        if (only && !(await only(ctx, account))) return false;
        await removeRemoteAccount(ctx, account.id);
        await ctx.waitForReadModels();
        await eraseGone(ctx, account.id, new AbortController().signal);
        const { id, uri, username, domain } = account;
        return removeErasedAccount(ctx, { id, uri, handle: `${username}@${domain}`.toLowerCase() });
      },
    }),
  );

const cull = (domains: string[], { dryRun }: DryRun): Promise<void> =>
  asOperator(async (operator) => {
    const { app, ctx, catchUp } = operator;
    await catchUp();
    const never = new AbortController().signal;
    const isGone = async (uri: string): Promise<boolean> =>
      (await ctx.services.resolver.isGone(uri, never)) === true;
    async function* gone(): AsyncGenerator<RemoteName> {
      const all = eachBelow((before, limit) => remoteAccountsBelow(app.db, domains, before, limit));
      for await (const account of all) if (await isGone(account.uri)) yield account;
    }
    await removeAccounts(operator, {
      task: 'accounts_cull',
      options: domains.length === 0 ? {} : { domains: domains.join(' ').slice(0, 300) },
      done: 'Removed',
      items: gone(),
      dryRun,
    });
  });

const prune = ({ dryRun }: DryRun): Promise<void> =>
  asOperator(async (operator) => {
    await operator.catchUp();
    await removeAccounts(operator, {
      task: 'accounts_prune',
      options: {},
      done: 'Removed',
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
      options: { domains: domains.join(' ').slice(0, 300) },
      done: 'Removed',
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
      const fetch = async (name: string): Promise<void> => {
        if ((await ctx.services.resolver.identify(name)) !== undefined) return;
        throw new RookeryError('unavailable', 'its server does not have it, or does not answer');
      };
      const named = domain === undefined ? accts : await urisOf(operator, knownDomain(domain));
      await eachGiven('Refreshed', named, async (name) => {
        if (domain === undefined && (await accountIdOf(app.db, ctx.instance, name)) === undefined) {
          throw new RookeryError('not_found', 'is not known here');
        }
        await fetch(name);
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
