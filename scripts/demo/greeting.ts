import { table } from '#cli/table.ts';
import type { Demo, DemoRole } from './start.ts';

/** The things to look at in each role. */
const USES: Record<DemoRole, string> = {
  person: 'reads, writes, has unread notifications and two requests to follow',
  moderator: 'reports, of which one is open, strikes and trends',
  auditor: 'the audit log; no role is for auditors alone, Moderator is the smallest that may view it',
  operator: 'everything; Owner is the only role that may look after read models',
};

/** Returns the text that a running demo begins with. */
export const greeting = (demo: Demo, seconds: string): string => `
Rookery runs a demo at ${demo.address} (${seconds} s)

${people(demo)}
${halted(demo)}
Nothing leaves this machine. The folder ${demo.isKept ? 'stays' : 'is removed at the end'}.
Ctrl-C ends it.
`;

export const seedOnlyGreeting = (demo: Demo): string => `
${demo.settings['DATA_DIR']} is filled, for ${demo.address}

${people(demo)}

Serve it: npm run demo -- --data ${demo.settings['DATA_DIR']}
`;

function people({ accounts }: Demo): string {
  const rows = Object.entries(accounts).map(([name, { email, password, role }]) => [
    `  ${name}`,
    email,
    password,
    role || 'no role',
    USES[name as DemoRole],
  ]);
  return table([['  sign in as', 'login', 'password', 'role', 'for'], ...rows]);
}

function halted({ settings, haltedReadModel: name }: Demo): string {
  if (name === undefined) return '';
  const environment = ['DATA_DIR', 'PORT', 'LOCAL_DOMAIN']
    .map((each) => `${each}=${settings[each]}`)
    .join(' ');
  return `
The read model ${name} is halted, as a fault in a release would halt it: see /health, or /api/v1/admin/projections
as operator. This command mends it, as an operator would after the installation of a repaired release:

  ${environment} npx rookery projections retry
`;
}
