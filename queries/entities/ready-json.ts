import { MEDIA_ORIGIN, ORIGIN } from '../../src/kernel/ready-json.ts';
import type { Instance } from '../../src/kernel/context.ts';

/** Puts the hosts of this instance into ready JSON (see `src/kernel/ready-json.ts`). */
export function fillOrigins(text: string, instance: Instance): string {
  return text.replaceAll(MEDIA_ORIGIN, instance.mediaOrigin).replaceAll(ORIGIN, instance.origin);
}

/** A JSON array of ready items. */
export const readyArray = (items: readonly string[], instance: Instance): string =>
  fillOrigins(`[${items.join(',')}]`, instance);
