import type { DeliveredMessages } from '../../kernel/services/device-messages.ts';
import type { Notifications } from '../../kernel/listening.ts';

/** Processes notify each other of stored messages to devices here (NOTIFY): their ids, separated by spaces. */
export const DELIVERIES_CHANNEL = 'rookery_device_messages';

/** Tells this process of messages to devices that any process stored. */
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
