import { z } from 'zod';
import { RemoteAccountGone } from './accounts.ts';
import { AccountErased, PersonalDataErased } from './erasure.ts';
import { ipBlockSubject, IpUnblocked } from './ip-blocks.ts';
import { UserRejected } from './moderation.ts';

const ofAccount = z.object({ account_id: z.string() });
const ofBlock = z.object({ id: z.string(), key_id: z.string().optional() });

/** Events after which the key of a subject is destroyed, with the subject in their stored data. */
const ERASURES = new Map<string, (data: unknown) => string | undefined>([
  ...[AccountErased, PersonalDataErased, RemoteAccountGone, UserRejected].map(
    ({ type }) => [type, (data: unknown) => ofAccount.safeParse(data).data?.account_id] as const,
  ),
  [
    IpUnblocked.type,
    (data) => {
      const block = ofBlock.safeParse(data).data;
      return block && ipBlockSubject(block);
    },
  ],
]);

/**
 * Returns the subject whose key is destroyed because of an event; undefined for any other event.
 * @param data reads the stored data of the event, which is done for few events
 */
export const erasedSubject = (type: string, data: () => unknown): string | undefined =>
  ERASURES.get(type)?.(data());
