import type { RequestContext } from '../../src/kernel/context.ts';
import { unauthorized } from '../../src/kernel/errors.ts';

/**
 * A server that federates with some others only (`LIMITED_FEDERATION_MODE`) tells the rest of the world nothing of itself
 * but what apps need to sign in: https://docs.joinmastodon.org/methods/instance/#peers
 * @throws RookeryError `unauthorized`
 */
export function requireUserIfLimited({
  instance,
  viewer,
}: Pick<RequestContext, 'instance' | 'viewer'>): void {
  if (instance.limitedFederation && !viewer) throw unauthorized('This API requires an authenticated user');
}
