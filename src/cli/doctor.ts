import { Command } from 'commander';
import { deliveriesByHost } from '../../queries/federation/index.ts';
import { ENOUGH_ROOM, roomIn } from '../adapters/disk.ts';
import { changedTokens } from '../interfaces/oauth/token-digest.ts';
import { altered } from '../kernel/altered.ts';
import { RookeryError } from '../kernel/errors.ts';
import { reactorStates } from '../storage/reactor-runtime/store.ts';
import { asOperator, type Operator } from './operator.ts';
import { sizeOf } from './sizes.ts';
import { printFacts } from './output.ts';

/** Something that the doctor looked at. */
interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'broken' | 'altered';
  text: string;
}

/** `rookery doctor`: one word on the whole state, and a line on each part. */
export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('Look at everything that an operator should know, and say in one word how the server is')
    .action(() => asOperator(examine, { onlyLooks: true, anyLog: true }));

const CHECKS: ((operator: Operator) => Promise<Finding>)[] = [
  checkLog,
  checkProjections,
  checkReactors,
  checkVerification,
  checkTokens,
  checkDeliveries,
  checkDisk,
];

async function examine(operator: Operator): Promise<void> {
  const findings: Finding[] = [];
  for (const check of CHECKS) findings.push(await check(operator));
  const has = (state: Finding['state']): boolean => findings.some((each) => each.state === state);
  const word = has('altered') ? 'ALTERED' : has('broken') ? 'BROKEN' : has('warning') ? 'WARNING' : 'OK';
  printFacts([
    ['state', word],
    ...findings.map(({ name, state, text }) => [name, state === 'ok' ? text : `${state}: ${text}`] as const),
  ]);
  if (word === 'ALTERED') throw altered('Something that was recorded is not what it was');
  if (word === 'BROKEN') throw new RookeryError('conflict', 'Something does not work');
}

async function checkLog({ app }: Operator): Promise<Finding> {
  const { foreign } = app;
  const text = foreign ? foreign.message : `position ${await app.log.head()}`;
  return { name: 'log', state: foreign ? 'broken' : 'ok', text };
}

async function checkProjections({ app }: Operator): Promise<Finding> {
  const models = await app.contextDependencies.services.readModels.list();
  const halted = models.filter(({ failure }) => failure).map(({ name }) => name);
  const missing = models.filter(({ state }) => state === 'not_built').map(({ name }) => name);
  const behind = Math.max(0, ...models.map(({ lag }) => lag.events ?? 0));
  const name = 'projections';
  if (halted.length > 0) return { name, state: 'broken', text: `halted: ${halted.join(', ')}` };
  if (missing.length > 0) return { name, state: 'warning', text: `not built: ${missing.join(', ')}` };
  return { name, state: 'ok', text: `${models.length} read models, ${behind} events behind` };
}

async function checkReactors({ app }: Operator): Promise<Finding> {
  const states = await reactorStates(app.db);
  const failed = states.filter(({ deadLettered }) => deadLettered > 0);
  const name = 'reactors';
  if (failed.length === 0) return { name, state: 'ok', text: `${states.length} reactors` };
  const events = failed.reduce((sum, { deadLettered }) => sum + deadLettered, 0);
  return {
    name,
    state: 'warning',
    text: `${events} dead-lettered events of ${failed.map((each) => each.name).join(', ')}; see: rookery reactors failures`,
  };
}

async function checkVerification({ app }: Operator): Promise<Finding> {
  const name = 'proofs';
  const problem = await app.transparencyLog.assertUnaltered().then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  if (problem) return { name, state: 'altered', text: problem.message };
  const last = await app.transparencyLog.verification();
  if (!last)
    return { name, state: 'warning', text: 'the whole log was never verified; see: rookery log verify' };
  return { name, state: 'ok', text: `${last.events} events verified at ${last.finishedAt}` };
}

async function checkTokens({ app }: Operator): Promise<Finding> {
  const changed = await changedTokens(app.db, app.tokenDigests);
  const name = 'tokens';
  if (changed === 0) return { name, state: 'ok', text: 'as they were granted' };
  return { name, state: 'altered', text: `${changed} were changed in the database, and are refused` };
}

async function checkDeliveries({ app }: Operator): Promise<Finding> {
  const hosts = await deliveriesByHost(app.db);
  const down = hosts.filter(({ down_since }) => down_since !== null).length;
  const queued = hosts.reduce((sum, each) => sum + each.queued, 0);
  return {
    name: 'deliveries',
    state: 'ok',
    text: `${queued} queued, ${down} of ${hosts.length} servers down`,
  };
}

async function checkDisk({ app }: Operator): Promise<Finding> {
  const { dataDir } = app.config;
  const room = await roomIn(dataDir);
  const text = room ? `${sizeOf(room.free)} left in ${dataDir}` : `${dataDir} does not exist`;
  return { name: 'disk', state: room && room.free < ENOUGH_ROOM ? 'warning' : 'ok', text };
}
