import type { Projection } from '../src/kernel/projection.ts';
import { accounts } from './accounts.ts';
import { applications } from './applications.ts';
import { home } from './home.ts';
import { relationships } from './relationships.ts';
import { statuses } from './statuses.ts';

/** Every read model there is. */
export const projections: readonly Projection[] = [
  accounts,
  applications,
  relationships,
  statuses,
  home,
];
