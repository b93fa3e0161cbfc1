import type { Db } from '#kernel/read.ts';
import type { DeliveredMessages } from '#kernel/services/device-messages.ts';
import { arrivedMessages } from '#queries/crypto/index.ts';
import type { Client } from './client.ts';

interface DeviceMessagesOptions {
  db: Db;
  clients: Iterable<Client>;
  onError: (error: unknown) => void;
}

/**
 * Sends encrypted messages to the clients whose token has the device, as Mastodon did: `encrypted_message` on
 * the stream of the user. They are not in the log, so a client that was disconnected reads them by the REST
 * API.
 */
export class DeviceMessages {
  readonly #options: DeviceMessagesOptions;
  /** One delivery at a time, so that messages keep their order. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: DeviceMessagesOptions) {
    this.#options = options;
  }

  take(delivered: DeliveredMessages): void {
    const clients = [...this.#options.clients].filter(({ hearsDevice }) => hearsDevice);
    if (clients.length === 0) return;
    // A client that reconnects reads the messages that it missed.
    if (delivered === 'missed') return clients.forEach((client) => client.close('again'));
    this.#last = this.#last.then(() => this.#send(delivered)).catch(this.#options.onError);
  }

  async #send(ids: readonly string[]): Promise<void> {
    const { db, clients } = this.#options;
    const hearing = [...clients].filter(({ hearsDevice }) => hearsDevice);
    const tokens = new Set(hearing.map(({ tokenId }) => tokenId));
    const arrived = await arrivedMessages(db, ids, [...tokens]);
    for (const { tokenId, message } of arrived) {
      const payload = JSON.stringify(message);
      for (const client of hearing) {
        if (client.tokenId === tokenId) client.sendToDevice({ event: 'encrypted_message', payload });
      }
    }
  }
}
