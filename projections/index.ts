import type { Projection } from '../src/kernel/projection.ts';
import { accounts } from './accounts.ts';
import { applications } from './applications.ts';
import { filters } from './filters.ts';
import { home } from './home.ts';
import { instanceSettings } from './instance-settings.ts';
import { lists } from './lists.ts';
import { relationships } from './relationships.ts';
import { statuses } from './statuses.ts';
import { users } from './users.ts';

/** Every read model there is. */
export const projections: readonly Projection[] = [
  accounts,
  applications,
  filters,
  instanceSettings,
  lists,
  relationships,
  statuses,
  users,
  home,
];
