import type { Projection } from '../src/kernel/projection.ts';
import { accounts } from './accounts.ts';
import { applications } from './applications.ts';
import { home } from './home.ts';
import { instanceSettings } from './instance-settings.ts';
import { mediaAttachments } from './media.ts';
import { relationships } from './relationships.ts';
import { statuses } from './statuses.ts';
import { users } from './users.ts';

/** Every read model there is. */
export const projections: readonly Projection[] = [
  accounts,
  applications,
  instanceSettings,
  mediaAttachments,
  relationships,
  statuses,
  users,
  home,
];
