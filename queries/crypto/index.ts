import { countKeys, queryKeys } from './keys.ts';
import { listEncryptedMessages } from './messages.ts';

export { deviceOfToken } from './device.ts';
export { reachableFrom } from './reachable.ts';
export { cryptoClaimResultSchema, cryptoDeviceSchema } from './schemas.ts';

export const cryptoQueries = [countKeys, queryKeys, listEncryptedMessages];
