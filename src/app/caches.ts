import { CustomEmojiCache } from '#adapters/caches/custom-emojis.ts';
import { IpAccessBlockCache } from '#adapters/caches/ip-access-blocks.ts';
import { RemoteAccounts } from '#adapters/caches/remote-accounts.ts';
import { DeviceDeliveries } from '#adapters/device-messages/deliveries.ts';
import { secretBox } from '#adapters/push/secrets.ts';
import { createPushSubscriptions } from '#adapters/push/subscriptions.ts';
import { StoredCommands } from '#interfaces/http/stored-commands.ts';
import type { Notifications } from '#kernel/listening.ts';
import type { Foundation } from './foundation.ts';

export type Caches = ReturnType<typeof openCaches>;

/** Opens the parts that keep rows in memory and learn of changes in other processes. */
export function openCaches({ stores: { db }, keys, closing }: Foundation) {
  const caches = {
    emojis: new CustomEmojiCache(db),
    deviceDeliveries: new DeviceDeliveries(),
    /** The addresses whose requests are all refused. */
    ipAccessBlocks: new IpAccessBlockCache(db),
    /** Stored commands whose client was told 503. */
    storedCommands: new StoredCommands(db),
    pushSubscriptions: createPushSubscriptions(db, secretBox(keys.master)),
    remoteAccounts: new RemoteAccounts(db),
  };
  closing(() => caches.emojis.close());
  closing(() => caches.ipAccessBlocks.close());
  closing(() => caches.pushSubscriptions.close());
  closing(() => caches.remoteAccounts.close());
  return caches;
}

/** Makes the caches follow changes; until then they are empty or out of date. */
export async function listenForChanges(caches: Caches, notifications: Notifications): Promise<void> {
  await caches.emojis.listen(notifications);
  await caches.ipAccessBlocks.listen(notifications);
  await caches.storedCommands.listen(notifications);
  await caches.pushSubscriptions.listen(notifications);
  await caches.remoteAccounts.listen(notifications);
  await caches.deviceDeliveries.listen(notifications);
}
