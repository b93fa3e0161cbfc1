import { claimKeys, uploadKeys } from './keys.ts';
import { clearMessages, deliverMessages } from './messages.ts';

export const cryptoCommands = [uploadKeys, claimKeys, deliverMessages, clearMessages];
