import { countKeys, queryKeys } from './keys.ts';
import { arrivedMessages, listEncryptedMessages } from './messages.ts';

export { arrivedMessages };
export { deviceOfToken } from './device.ts';
export { reachableFrom } from './reachable.ts';
export { cryptoClaimResultSchema, cryptoDeviceSchema } from './schemas.ts';

export const cryptoQueries = [countKeys, queryKeys, listEncryptedMessages];
