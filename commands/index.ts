import { accountCommands } from './accounts/index.ts';
import { appCommands } from './apps/index.ts';
import { domainBlockCommands } from './domain-blocks/index.ts';
import { emailCommands } from './emails/index.ts';
import { featuredTagCommands } from './featured-tags/index.ts';
import { followRequestCommands } from './follow-requests/index.ts';
import { followCommands } from './follows/index.ts';
import { statusCommands } from './statuses/index.ts';
import { tagCommands } from './tags/index.ts';

/** Every endpoint that changes something. */
export const commandEndpoints = [
  ...accountCommands,
  ...appCommands,
  ...domainBlockCommands,
  ...emailCommands,
  ...featuredTagCommands,
  ...followRequestCommands,
  ...followCommands,
  ...statusCommands,
  ...tagCommands,
];
