import type { Projection } from '../src/kernel/projection.ts';
import { accounts } from './accounts.ts';
import { applications } from './applications.ts';
import { customEmojis } from './custom-emojis.ts';
import { home } from './home.ts';
import { instanceSettings } from './instance-settings.ts';
import { interactions } from './interactions.ts';
import { polls } from './polls.ts';
import { relationships } from './relationships.ts';
import { statuses } from './statuses.ts';
import { users } from './users.ts';

/** Every read model there is. */
export const projections: readonly Projection[] = [
  accounts,
  applications,
  customEmojis,
  instanceSettings,
  interactions,
  polls,
  relationships,
  statuses,
  users,
  home,
];
