import { ENOUGH_ROOM, roomIn } from '../adapters/disk.ts';
import type { TokenDigests } from '../interfaces/oauth/token-digest.ts';
import { changedTokens } from '../interfaces/oauth/token-digest.ts';
import type { ReadModels } from '../kernel/services/read-models.ts';
import type { HealthFinding } from '../kernel/services/server-health.ts';
import { deliveryState } from '../../queries/federation/index.ts';
import { sizeText } from '../kernel/quantities.ts';
import { reactorStates } from '../storage/reactor-runtime/store.ts';
import { deliveryFinding } from './delivery-finding.ts';
import type { Stores } from './stores.ts';

export interface ExaminationSources {
  stores: Pick<Stores, 'db' | 'log' | 'foreign' | 'transparencyLog'>;
  readModels: Pick<ReadModels, 'list'>;
  tokenDigests: TokenDigests;
  dataDir: string;
}

type Check = (sources: ExaminationSources) => Promise<HealthFinding>;

/** Looks at every part of the server, one after the other. */
export async function examine(sources: ExaminationSources): Promise<HealthFinding[]> {
  const found: HealthFinding[] = [];
  for (const check of CHECKS) found.push(await check(sources));
  return found;
}

const checkLog: Check = async ({ stores: { foreign, log } }) => {
  const text = foreign ? foreign.message : `position ${await log.head()}`;
  return { name: 'log', state: foreign ? 'broken' : 'ok', text };
};

const checkProjections: Check = async ({ readModels }) => {
  const models = await readModels.list();
  const halted = models.filter(({ failure }) => failure).map(({ name }) => name);
  const missing = models.filter(({ state }) => state === 'not_built').map(({ name }) => name);
  const behind = Math.max(0, ...models.map(({ lag }) => lag.events ?? 0));
  const name = 'projections';
  if (halted.length > 0) return { name, state: 'broken', text: `halted: ${halted.join(', ')}` };
  if (missing.length > 0) return { name, state: 'warning', text: `not built: ${missing.join(', ')}` };
  return { name, state: 'ok', text: `${models.length} read models, ${behind} events behind` };
};

const checkReactors: Check = async ({ stores: { db } }) => {
  const states = await reactorStates(db);
  const failed = states.filter(({ deadLettered }) => deadLettered > 0);
  const name = 'reactors';
  if (failed.length === 0) return { name, state: 'ok', text: `${states.length} reactors` };
  const events = failed.reduce((sum, { deadLettered }) => sum + deadLettered, 0);
  return {
    name,
    state: 'warning',
    text: `${events} dead-lettered events of ${failed.map((each) => each.name).join(', ')}; see: rookery reactors failures`,
  };
};

const checkVerification: Check = async ({ stores: { transparencyLog } }) => {
  const name = 'proofs';
  const problem = await transparencyLog.assertUnaltered().then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  if (problem) return { name, state: 'altered', text: problem.message };
  const last = await transparencyLog.verification();
  if (!last)
    return { name, state: 'warning', text: 'the whole log was never verified; see: rookery log verify' };
  return { name, state: 'ok', text: `${last.events} events verified at ${last.finishedAt}` };
};

const checkTokens: Check = async ({ stores: { db }, tokenDigests }) => {
  const changed = await changedTokens(db, tokenDigests);
  const name = 'tokens';
  if (changed === 0) return { name, state: 'ok', text: 'none was changed in the database' };
  return { name, state: 'altered', text: `${changed} were changed in the database, and are refused` };
};

const checkDeliveries: Check = async ({ stores: { db } }) => deliveryFinding(await deliveryState(db));

const checkDisk: Check = async ({ dataDir }) => {
  const room = await roomIn(dataDir);
  const text = room ? `${sizeText(room.free)} left in ${dataDir}` : `${dataDir} does not exist`;
  return { name: 'disk', state: room && room.free < ENOUGH_ROOM ? 'warning' : 'ok', text };
};

const CHECKS: readonly Check[] = [
  checkLog,
  checkProjections,
  checkReactors,
  checkVerification,
  checkTokens,
  checkDeliveries,
  checkDisk,
];
