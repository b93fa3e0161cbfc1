import type { Notifications } from '#kernel/listening.ts';
import type { DeliveredMessages } from '#kernel/services/device-messages.ts';

/** The NOTIFY channel that announces stored messages to devices: their ids, separated by spaces. */
export const DELIVERIES_CHANNEL = 'rookery_device_messages';

/** Tells this process about messages to devices, stored by any process. */
export class DeviceDeliveries {
  readonly #watchers: ((delivered: DeliveredMessages) => void)[] = [];

  async listen(notifications: Notifications): Promise<void> {
    await notifications.subscribe({
      channel: DELIVERIES_CHANNEL,
      onNotification: (ids) => this.#tell(ids.split(' ')),
      onConnected: () => this.#tell('missed'),
    });
  }

  watch(watcher: (delivered: DeliveredMessages) => void): void {
    this.#watchers.push(watcher);
  }

  #tell(delivered: DeliveredMessages): void {
    for (const watcher of this.#watchers) watcher(delivered);
  }
}
