import { createAccount } from '#commands/accounts/index.ts';
import { days, momentOf } from '../moments.ts';
import { NEWCOMERS } from '../texts/neighbours.ts';
import { MODERATOR } from '../texts/people.ts';
import { emailOf, passwordOf } from './people.ts';
import { appealNewest } from './staff.ts';
import { residentNamed, send, type Town } from './town.ts';

/** Leaves decisions for staff: an appeal, and sign-ups that ask to be approved. */
export async function leaveDecisions(town: Town): Promise<void> {
  await send(town, MODERATOR, 'POST /api/v1/admin/accounts/:id/action', {
    ago: days(6),
    params: { id: residentNamed(town, 'sam').id },
    body: { type: 'none', text: 'Please ask before you put a neighbour’s voice on the radio (rule 3).' },
  });
  const plea =
    'She called the station herself and asked to be on air. Her daughter heard it and has written to you. Could you take this back?';
  await appealNewest(town, 'sam', days(5), plea);
  for (const [index, { username, reason, email }] of NEWCOMERS.entries()) {
    await createAccount(town.acting.operator(momentOf(days(2) - index * 60, town.end)), {
      username,
      email: email ?? emailOf(username),
      password: passwordOf(username),
      role: null,
      locale: 'en',
      confirmed: true,
      approved: false,
      reason,
      applicationId: null,
      signUpIp: `198.51.100.${10 + index}`,
    });
  }
}
