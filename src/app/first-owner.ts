import { randomBytes } from 'node:crypto';
import { account, createAccount } from '#commands/accounts/index.ts';
import { accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { MAIN } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';
import { LOCKS } from '#storage/postgres/locks.ts';
import { unlessLate } from '#storage/postgres/projector/read-your-writes.ts';
import { holdLock } from '#storage/postgres/transaction-lock.ts';
import type { App } from './app.ts';
import { FIRST_START } from './first-start.ts';

const NAME = 'owner';
const BEGUN = statement<{ id: Id }>(
  'first_owner_begun',
  'select account_id::text as id from durable.first_owner order by account_id desc limit 1',
);
const BEGIN = statement(
  'first_owner_begin',
  'insert into durable.first_owner (account_id) values ($1) on conflict do nothing',
);
const END = statement('first_owner_end', 'delete from durable.first_owner');

/** Tells the operator about the owner's account. Both are called at most once. */
export interface OwnerNews {
  /** The account is stored. Its password is stored nowhere and told only here. */
  created(username: string, password: string): void;
  /** An earlier start stored the account, and ended before it told the password. */
  passwordUntold(username: string): void;
}

/**
 * Creates the owner's account when there is no user yet. One process at a time does so. A row tells of it until the password
 * is told, so that the next start continues an interrupted one.
 * @throws the reason of the signal, while the read models catch up
 */
export async function createOwner(app: App, news: OwnerNews, signal?: AbortSignal): Promise<void> {
  await untilCaughtUp(app, signal);
  const ctx = app.systemContext(FIRST_START);
  const { db, projectionDb } = app;
  await projectionDb.transaction(async (lock) => {
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await holdLock(lock, LOCKS.firstOwner, signal);
    const [begun] = await db.query(BEGUN);
    const before = begun && (await ctx.load(accountStream(begun.id), account)).state;
    if (before === 'exists') news.passwordUntold(NAME);
    else if (!(await hasUsers(app))) await create(app, ctx, news, before === 'none' ? begun?.id : undefined);
    await db.query(END);
  });
  await unlessLate(ctx.waitForReadModels());
}

/** Creates the account, unless its name or address is taken. @param begun the id of an interrupted creation */
async function create(
  { db, instance }: App,
  ctx: CommandContext,
  news: OwnerNews,
  begun?: Id,
): Promise<void> {
  const id = begun ?? ctx.newId();
  if (begun === undefined) await db.query(BEGIN, [id]);
  const password = randomBytes(15).toString('base64url');
  const command = {
    username: NAME,
    email: `${NAME}@${instance.domain.replace(/:.*$/, '')}`,
    password,
    locale: 'en',
    confirmed: true,
    approved: true,
    role: 'Owner' as const,
    reason: null,
    applicationId: null,
    signUpIp: null,
  };
  if (await createAccount(ctx, command, id).then(() => true, isTaken)) news.created(NAME, password);
}

/** A halted read model has met an event, so the server is not new. */
const hasUsers = ({ db }: App): Promise<boolean> =>
  unlessHalted(
    async () => (await db.query('select account_id from users limit 1')).length > 0,
    () => true,
  );

/** Returns false when another account has the name or the address. */
function isTaken(error: unknown): false {
  if (isRookeryError(error) && ['invalid', 'conflict'].includes(error.code)) return false;
  throw error;
}

/** Only read models that have caught up tell whether there are users. */
async function untilCaughtUp({ log, checkpoints }: App, signal?: AbortSignal): Promise<void> {
  const head = await log.head();
  while (!(await checkpoints.reached(MAIN, head, 1_000))) {
    signal?.throwIfAborted();
    if (checkpoints.position(MAIN) >= head) return;
  }
}
