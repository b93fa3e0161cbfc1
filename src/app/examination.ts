import { ENOUGH_ROOM, roomIn } from '#adapters/disk.ts';
import type { TokenDigests } from '#interfaces/oauth/token-digest.ts';
import { changedTokens } from '#interfaces/oauth/token-digest.ts';
import { isAltered } from '#kernel/altered.ts';
import { sizeText } from '#kernel/quantities.ts';
import type { ReadModel, ReadModels } from '#kernel/services/read-models.ts';
import type { HealthFinding } from '#kernel/services/server-health.ts';
import { deliveryState } from '#queries/federation/index.ts';
import { foreignStreams } from '#storage/eventlog/foreign-streams.ts';
import { damageText } from '#storage/postgres/damaged-events.ts';
import { errorText } from '#storage/postgres/projector/failures.ts';
import { reactorStates } from '#storage/reactor-runtime/store.ts';
import { clockFinding } from './clock-finding.ts';
import { deliveryFinding } from './delivery-finding.ts';
import type { Stores } from './stores.ts';

export interface ExaminationSources {
  stores: Pick<Stores, 'db' | 'log' | 'store' | 'foreign' | 'transparencyLog' | 'idClock' | 'damagedEvents'>;
  readModels: Pick<ReadModels, 'list'>;
  tokenDigests: TokenDigests;
  dataDir: string;
}

/** Damaged events in one finding. */
const MOST_NAMED = 3;

type Check = (sources: ExaminationSources) => Promise<HealthFinding>;

/** Looks at every part of the server, one after the other. A part that cannot be looked at is broken. */
export async function examine(sources: ExaminationSources): Promise<HealthFinding[]> {
  const found: HealthFinding[] = [];
  for (const [name, check] of CHECKS) {
    found.push(await check(sources).catch((error: unknown) => unseen(name, error)));
  }
  return found;
}

const unseen = (name: string, error: unknown): HealthFinding => ({
  name,
  state: 'broken',
  text: `cannot be looked at: ${errorText(error)}`,
});

const checkLog: Check = async ({ stores: { foreign, log, db, store } }) => {
  const name = 'log';
  if (foreign) return { name, state: 'broken', text: foreign.message };
  const text = `position ${await log.head()}`;
  const streams = await foreignStreams(db, store);
  if (streams.length === 0) return { name, state: 'ok', text };
  const others = streams.map(({ stream, type }) => `${stream} (${type})`).join(', ');
  return {
    name,
    state: 'warning',
    text: `${text}; events of another program are left out of streams with names of this server: ${others}`,
  };
};

const checkProjections: Check = async ({ readModels }) => {
  const models = await readModels.list();
  const halted = models.filter(({ failure }) => failure).map(({ name }) => name);
  const missing = models.filter(({ state }) => state === 'not_built').map(({ name }) => name);
  const behind = Math.max(0, ...models.map(({ lag }) => lag.events ?? 0));
  const lacking = models.filter(({ lacks }) => lacks.length > 0).map((model) => model.name);
  const name = 'projections';
  if (halted.length > 0) return { name, state: 'broken', text: `halted: ${halted.join(', ')}` };
  if (missing.length > 0) return { name, state: 'warning', text: `not built: ${missing.join(', ')}` };
  if (lacking.length > 0) {
    const text = `events are missing until: rookery projections rebuild ${lacking.join(' ')}`;
    return { name, state: 'warning', text };
  }
  const text = otherCode(models);
  if (text !== undefined) return { name, state: 'warning', text };
  return { name, state: 'ok', text: `${models.length} read models, ${behind} events behind` };
};

/** Names the read models that other code built, and the way to mend them; undefined without one. */
function otherCode(models: readonly ReadModel[]): string | undefined {
  const namesOf = (part: 'tables' | 'handlers'): string[] =>
    models.filter(({ built_by }) => built_by[part] === 'other_code').map(({ name }) => name);
  const [tables, handlers] = [namesOf('tables'), namesOf('handlers')];
  const texts = [
    ...(tables.length > 0 ? [`tables changed, and the next start rebuilds: ${tables.join(', ')}`] : []),
    ...(handlers.length > 0
      ? [`handlers changed since the last build: rookery projections rebuild ${handlers.join(' ')}`]
      : []),
  ];
  return texts.length > 0 ? texts.join('; ') : undefined;
}

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
  // A check that was interrupted proves nothing.
  if (problem && !isAltered(problem)) throw problem;
  if (problem) return { name, state: 'altered', text: problem.message };
  const fileProblem = await transparencyLog.fileProblem();
  if (fileProblem !== undefined) return { name, state: 'warning', text: fileProblem };
  const last = await transparencyLog.verification();
  if (!last)
    return { name, state: 'warning', text: 'the whole log was never verified; see: rookery log verify' };
  return { name, state: 'ok', text: `${last.events} events verified at ${last.finishedAt}` };
};

const checkDamage: Check = async ({ stores: { damagedEvents } }) => {
  const text = damageText(await damagedEvents.list(MOST_NAMED));
  return {
    name: 'damage',
    state: text === undefined ? 'ok' : 'warning',
    text: text === undefined ? 'no event is damaged' : `${text}; see: rookery log verify`,
  };
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

const checkClock: Check = ({ stores }) => clockFinding(stores);

/** With the names of their findings. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['log', checkLog],
  ['projections', checkProjections],
  ['reactors', checkReactors],
  ['proofs', checkVerification],
  ['damage', checkDamage],
  ['tokens', checkTokens],
  ['deliveries', checkDeliveries],
  ['disk', checkDisk],
  ['clock', checkClock],
];
