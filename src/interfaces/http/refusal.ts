import type { Consistency } from '#kernel/own-writes.ts';
import { MAIN } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { type Authenticated, authorize, type CallerDependencies } from './caller.ts';
import { caughtAbsence } from './missing.ts';
import type { Route } from './routes.ts';

type Dependencies = Pick<CallerDependencies, 'holds' | 'instance'> & { db: Db; consistency: Consistency };

/** Returns the caller for the handler. @throws RookeryError the errors of `authorize`, or `not_found` */
export async function authorized(
  route: Route,
  caller: Authenticated | undefined,
  dependencies: Dependencies,
): Promise<Authenticated | undefined> {
  try {
    return authorize(route.endpoint, caller, dependencies.holds);
  } catch (error) {
    throw await refusalOf(route, error, caller, dependencies);
  }
}

/**
 * Returns the error for a refused caller: `refused`, unless the caller may not even see the object of the
 * request.
 */
export async function refusalOf(
  { endpoint: { params: schema, subjectShown }, params }: Route,
  refused: unknown,
  caller: Authenticated | undefined,
  { db, instance, consistency }: Dependencies,
): Promise<unknown> {
  const viewer = caller?.viewer;
  const unasked = viewer === undefined ? instance.limitedFederation : viewer.suspended;
  if (!subjectShown || unasked) return refused;
  if (caller) await consistency.wait(caller.token.id, [MAIN]);
  const { success, data } = schema?.safeParse(params) ?? {};
  const shown =
    success === true && (await subjectShown(db, viewer?.account_id ?? null, String(data?.['id'])));
  return shown ? refused : caughtAbsence();
}
