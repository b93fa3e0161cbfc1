import type { KnownActor } from '#queries/federation/index.ts';
import { idOf } from '../remote/json.ts';
import type { Activity } from './activity.ts';

/**
 * Returns whether an activity is ignored because its actor is suspended. An actor suspended by its own server
 * may still announce that it is back or deleted.
 */
export function isIgnored(known: KnownActor | undefined, { actor, object, type }: Activity): boolean {
  if (known?.suspended !== true) return false;
  const isAboutItself = (type === 'Update' || type === 'Delete') && idOf(object) === actor;
  return !(known.suspended_there && isAboutItself);
}
