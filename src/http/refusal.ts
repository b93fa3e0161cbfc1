import type { Viewer } from '../kernel/context.ts';
import type { Db } from '../kernel/read.ts';
import { authorize, type Authenticated, type CallerDependencies } from './caller.ts';
import { caughtAbsence } from './missing.ts';
import type { Route } from './routes.ts';

type Dependencies = Pick<CallerDependencies, 'holds' | 'instance'> & { db: Db };

/** Returns the caller as the handler may know them. @throws RookeryError what `authorize` does, or `not_found` */
export async function authorized(
  route: Route,
  caller: Authenticated | undefined,
  dependencies: Dependencies,
): Promise<Authenticated | undefined> {
  try {
    return authorize(route.endpoint, caller, dependencies.holds);
  } catch (error) {
    throw await refusalOf(route, error, caller?.viewer, dependencies);
  }
}

/** Returns why a caller is refused: because of `refused`, unless they may not even see what the request is about. */
export async function refusalOf(
  { endpoint: { params: schema, subjectShown }, params }: Route,
  refused: unknown,
  viewer: Viewer | undefined,
  { db, instance }: Dependencies,
): Promise<unknown> {
  const unasked = viewer === undefined ? instance.limitedFederation : viewer.suspended;
  if (!subjectShown || unasked) return refused;
  const { success, data } = schema?.safeParse(params) ?? {};
  const shown =
    success === true && (await subjectShown(db, viewer?.account_id ?? null, String(data?.['id'])));
  return shown ? refused : caughtAbsence();
}
