import type { KnownActor } from '../../../../queries/federation/index.ts';
import { idOf } from '../remote/json.ts';
import type { Activity } from './activity.ts';

/**
 * Whether an activity counts for nothing because its actor is suspended. An actor that its own server suspended may still say
 * that it is back, or gone for good.
 */
export function isIgnored(known: KnownActor | undefined, { actor, object, type }: Activity): boolean {
  if (known?.suspended !== true) return false;
  const isAboutItself = (type === 'Update' || type === 'Delete') && idOf(object) === actor;
  return !(known.suspended_there && isAboutItself);
}
