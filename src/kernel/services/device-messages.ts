/** A device that end-to-end encrypted messages can be sent to. Keys are base64. */
export interface CryptoDevice {
  device_id: string;
  name: string;
  identity_key: string;
  fingerprint_key: string;
}

/** For the first message to a device. `signature` is the fingerprint key's, over the text of the key. */
export interface OneTimeKey {
  key_id: string;
  key: string;
  signature: string;
}

export interface ClaimedKey extends OneTimeKey {
  account_id: string;
  device_id: string;
}

/** A message that only the device can read; `hmac` is its digest. */
export interface EncryptedMessage {
  account_id: string;
  device_id: string;
  type: number;
  body: string;
  hmac: string;
}

/** The ids of stored messages; or `missed` where some may have come while this process heard nothing. */
export type DeliveredMessages = readonly string[] | 'missed';

/** End-to-end encrypted mail in transit: durable, never in the log. A device belongs to one access token. */
export interface DeviceMessages {
  /**
   * Stores the token's device, if given, and keys for it. Other keys or another id make it a new device, without what was
   * waiting for the old one. @throws RookeryError `not_found` without a device, `invalid` when there are too many keys
   */
  upload(
    owner: { tokenId: string; accountId: string },
    device: CryptoDevice | undefined,
    keys: readonly OneTimeKey[],
  ): Promise<CryptoDevice>;
  /** Takes a key of each device, each key once; devices that are unknown or have none left are passed over. */
  claim(devices: readonly { account_id: string; device_id: string }[]): Promise<ClaimedKey[]>;
  /** All or none. @throws RookeryError `not_found` for an unknown device, `invalid` when one has too many waiting */
  deliver(
    sender: { tokenId: string; accountId: string; now: string },
    messages: readonly EncryptedMessage[],
  ): Promise<void>;
  /** Removes the messages up to an id, inclusive. @throws RookeryError `not_found` without a device */
  clear(tokenId: string, upToId: string): Promise<void>;
}
