import type { DemoRole } from '../demo/start.ts';

/** A picture of the console for the docs. */
export interface ConsolePicture {
  name: string;
  role: DemoRole;
  path: string;
  /** The page that it shows, by the first link of this shape on the page of the path. */
  link?: RegExp;
  /** The text of a link to follow from there. */
  then?: string;
}

const OF_VERA = '/admin/audit?target=vera';

export const CONSOLE_PICTURES: readonly ConsolePicture[] = [
  // First, because reading the other pages adds events of its own.
  { name: 'log', role: 'operator', path: '/admin/log?paused=true' },
  { name: 'dashboard', role: 'moderator', path: '/admin' },
  { name: 'report', role: 'moderator', path: '/admin/reports', link: /^\/admin\/reports\/\d+$/ },
  { name: 'accounts', role: 'moderator', path: '/admin/accounts' },
  { name: 'audit', role: 'auditor', path: OF_VERA },
  { name: 'replay', role: 'auditor', path: '/admin/replay?q=vera', then: 'suspended the account' },
  { name: 'proof', role: 'auditor', path: OF_VERA, link: /^\/admin\/proofs\/\d+/ },
  { name: 'transparency', role: 'auditor', path: '/admin/transparency' },
  { name: 'projections', role: 'operator', path: '/admin/projections' },
  { name: 'halted-projection', role: 'operator', path: '/admin/projections/annual-reports' },
  {
    name: 'trace',
    role: 'operator',
    path: '/admin/log?paused=true&type=AccountSuspended',
    link: /^\/admin\/trace\//,
  },
  { name: 'domain-blocks', role: 'operator', path: '/admin/domain_blocks' },
];
