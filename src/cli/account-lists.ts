import { type Command, InvalidArgumentError, Option } from 'commander';
import { userRole } from '#events/accounts.ts';
import { RookeryError } from '#kernel/errors.ts';
import { accountIdOfHandle } from '#queries/accounts/index.ts';
import {
  ACCOUNT_STATES,
  type AccountRow,
  accountRows,
  type AccountState,
  type RowFilter,
} from '#queries/admin/accounts/index.ts';
import { knownDomain } from './known-domain.ts';
import { oneLine } from './one-line.ts';
import { asOperator, type Operator } from './operator.ts';
import { printFacts, printTable } from './output.ts';

/** Characters of a display name in a list. */
const SHOWN = 30;

interface ListOptions {
  remote?: true;
  state?: AccountState[];
  role?: string;
  domain?: string;
  limit: number;
}

/** Adds `rookery accounts list`, `show` and `search`. */
export function addAccountLists(accounts: Command): void {
  accounts
    .command('list')
    .description('Show the newest accounts')
    .option('--remote', 'of other servers instead of this one')
    .addOption(new Option('--state <states...>', 'only with all of these').choices(ACCOUNT_STATES))
    .addOption(new Option('--role <role>', 'only with this role').choices(userRole.options))
    .option('--domain <domain>', 'only of this server')
    .addOption(limit())
    .action(({ remote, state, domain, role, limit: most }: ListOptions) =>
      list({
        local: remote !== true && domain === undefined,
        states: state,
        role,
        domain: domain === undefined ? undefined : knownDomain(domain),
        limit: most,
      }),
    );
  accounts
    .command('search')
    .description('Find accounts by a part of their name, display name or e-mail address')
    .argument('<text>')
    .addOption(limit())
    .action((text: string, options: { limit: number }) => list({ text, limit: options.limit }));
  accounts
    .command('show')
    .description('Show one account')
    .argument('<acct>', 'name, or name@domain')
    .action((acct: string) => asOperator((operator) => show(operator, acct.replace(/^@/, ''))));
}

const limit = (): Option =>
  new Option('--limit <number>', 'the most accounts').default(100).argParser((text) => {
    const most = Number(text);
    if (!Number.isInteger(most) || most < 1) throw new InvalidArgumentError('must be a number above 0.');
    return most;
  });

const acctOf = ({ username, domain }: AccountRow): string =>
  domain === null ? username : `${username}@${domain}`;

const list = (filter: RowFilter): Promise<void> =>
  asOperator(async ({ app, catchUp }) => {
    await catchUp();
    const rows = await accountRows(app.db, filter);
    printTable(
      ['ID', 'ACCT', 'NAME', 'EMAIL', 'ROLE', 'STATE', 'POSTS', 'CREATED'],
      rows.map((row) => [
        row.id,
        acctOf(row),
        oneLine(row.display_name, SHOWN) || null,
        row.email || null,
        row.role,
        row.states.join(' ') || 'active',
        row.statuses_count,
        row.created_at,
      ]),
      { headless: true },
    );
  });

async function show({ app, ctx, catchUp }: Operator, acct: string): Promise<void> {
  await catchUp();
  const id = await accountIdOfHandle(app.db, ctx.instance, acct);
  const [row] = id === undefined ? [] : await accountRows(app.db, { id, limit: 1 });
  if (!row) throw new RookeryError('not_found', `There is no account @${acct} here`);
  printFacts([
    ['id', row.id],
    ['acct', acctOf(row)],
    ['display name', oneLine(row.display_name) || null],
    ['email', row.email || null],
    ['role', row.role],
    ['state', row.states.join(' ') || 'active'],
    ['created at', row.created_at],
    ['last active on', row.last_active_on],
    ['posts', row.statuses_count],
    ['following', row.following_count],
    ['followers', row.followers_count],
  ]);
}
