import { randomBytes } from 'node:crypto';
import { Command, Option } from 'commander';
import {
  createAccount,
  modifyUser,
  normalizeEmail,
  sendConfirmation,
  type UserChanges,
  validateEmail,
  validateUsername,
} from '#commands/accounts/index.ts';
import { type UserRole, userRole } from '#events/accounts.ts';
import { RookeryError } from '#kernel/errors.ts';
import { FieldProblems } from '#kernel/field-problems.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { addFollows } from './account-follows.ts';
import { addAccountLists } from './account-lists.ts';
import { accountNamed } from './account-named.ts';
import { username } from './arguments.ts';
import { addModeration } from './moderation.ts';
import { addMoves } from './moves.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printResult } from './output.ts';
import { addPortability } from './portability.ts';
import { addRemoteAccounts } from './remote-accounts.ts';
import { addKeyRotation } from './rotate-keys.ts';

/** `rookery accounts`, modelled on `tootctl accounts`. */
export function accountsCommand(): Command {
  const accounts = new Command('accounts').description('Look after accounts of this server and of others');
  accounts
    .command('create')
    .description('Create a local account and print its password')
    .addArgument(username())
    .requiredOption('--email <address>', 'e-mail address')
    .option('--confirmed', 'the address needs no confirmation')
    .option('--approve', 'let the user in where the staff has to approve')
    .addOption(role('role'))
    .action((name: string, options: CreateOptions) =>
      asOperator((operator) => create(operator, name, options)),
    );
  accounts
    .command('modify')
    .description('Change a local account')
    .addArgument(username())
    .option('--email <address>', 'move to another e-mail address, without asking it')
    .option('--confirm', 'the address needs no confirmation')
    .option('--enable', 'let the user sign in again')
    .addOption(new Option('--disable', 'lock the user out').conflicts('enable'))
    .option('--approve', 'let the user in where the staff has to approve')
    .option('--reset-password', 'set a new password and print it')
    .option('--disable-2fa', 'let the user in with the password alone, who has lost app and recovery codes')
    .addOption(role('role; signs all apps and browsers of the account out'))
    .addOption(new Option('--remove-role', 'take the role away, with the same consequence').conflicts('role'))
    .action((name: string, options: ModifyOptions) =>
      asOperator((operator) => modify(operator, name, options)),
    );
  addMoves(accounts);
  addModeration(accounts);
  addPortability(accounts);
  addKeyRotation(accounts);
  addAccountLists(accounts);
  addRemoteAccounts(accounts);
  addFollows(accounts);
  return accounts;
}

interface CreateOptions {
  email: string;
  confirmed?: true;
  approve?: true;
  role?: UserRole;
}

interface ModifyOptions {
  email?: string;
  confirm?: true;
  enable?: true;
  disable?: true;
  approve?: true;
  resetPassword?: true;
  disable2fa?: true;
  role?: UserRole;
  removeRole?: true;
}

const role = (description: string): Option =>
  new Option('--role <role>', description).choices(userRole.options);

async function create({ app, ctx, catchUp }: Operator, name: string, options: CreateOptions): Promise<void> {
  const problems = new FieldProblems();
  // The operator may use reserved names.
  problems.add('username', ...validateUsername(name).filter(({ error }) => error !== 'ERR_RESERVED'));
  problems.add('email', ...validateEmail(options.email, { dotless: true }));
  problems.throwIfAny();
  await catchUp();
  const { registrations } = await instanceSettings(app.db);
  const email = normalizeEmail(options.email, { dotless: true }) ?? '';
  const password = newPassword();
  const confirmed = options.confirmed === true;
  const id = await createAccount(ctx, {
    username: name,
    email,
    password,
    locale: 'en',
    confirmed,
    approved: options.approve === true || options.role !== undefined || registrations !== 'approved',
    role: options.role ?? null,
    reason: null,
    applicationId: null,
    signUpIp: null,
  });
  // First, since nothing else has the password.
  printResult(`OK\nNew password: ${password}`, { id, password });
  await catchUp();
  // Last: without the mail the account exists all the same, and `modify --confirm` helps.
  if (!confirmed) await sendConfirmation(ctx, { accountId: id, username: name, email });
}

async function modify(operator: Operator, name: string, options: ModifyOptions): Promise<void> {
  const { ctx, catchUp } = operator;
  const problems = new FieldProblems();
  if (options.email !== undefined) problems.add('email', ...validateEmail(options.email, { dotless: true }));
  problems.throwIfAny();
  const email = options.email === undefined ? undefined : normalizeEmail(options.email, { dotless: true });
  const password = options.resetPassword ? newPassword() : undefined;
  const changes: UserChanges = {
    ...(email === undefined ? {} : { email }),
    ...(options.confirm ? { confirm: true } : {}),
    ...(options.approve ? { approve: true } : {}),
    ...(options.enable ? { disabled: false } : {}),
    ...(options.disable ? { disabled: true } : {}),
    ...(options.role ? { role: options.role } : {}),
    ...(options.disable2fa ? { twoFactor: false } : {}),
    ...(options.removeRole ? { role: null } : {}),
    ...(password === undefined ? {} : { password }),
  };
  if (Object.keys(changes).length === 0) throw new RookeryError('invalid', 'Say what to change; see --help');
  await modifyUser(ctx, await accountNamed(operator, name), changes);
  if (password !== undefined) printResult(`OK\nNew password: ${password}`, { password });
  await catchUp();
  if (password === undefined) confirm();
}

const newPassword = (): string => randomBytes(16).toString('hex');
