import { accountCommands } from './accounts/index.ts';
import { appCommands } from './apps/index.ts';
import { emailCommands } from './emails/index.ts';
import { filterCommands } from './filters/index.ts';
import { followRequestCommands } from './follow-requests/index.ts';
import { followCommands } from './follows/index.ts';
import { listCommands } from './lists/index.ts';
import { statusCommands } from './statuses/index.ts';

/** Every endpoint that changes something. */
export const commandEndpoints = [
  ...accountCommands,
  ...appCommands,
  ...emailCommands,
  ...filterCommands,
  ...followRequestCommands,
  ...followCommands,
  ...listCommands,
  ...statusCommands,
];
