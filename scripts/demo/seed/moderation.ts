import { eraseOwnAccount } from '#commands/accounts/index.ts';
import { days, momentOf } from '../moments.ts';
import { GONE } from '../texts/neighbours.ts';
import { AUDITOR, MODERATOR, OPERATOR } from '../texts/people.ts';
import { act, appealNewest, handle, note, report } from './staff.ts';
import { residentNamed, send, type Town } from './town.ts';

/** The work of staff in six weeks: reports, strikes, an appeal that was won, a suspension that was a mistake. */
export async function moderate(town: Town): Promise<void> {
  await suspendSpammer(town);
  await silenceGrumbler(town);
  await winAppeal(town);
  await reverseSuspension(town);
  await dismissComplaint(town);
  await leaveAppealOpen(town);
  await leave(town);
  await report(town, {
    by: 'aisha',
    about: 'roy',
    ago: 310,
    posts: ['rant2'],
    comment:
      'He has begun again, now by shouting at runners on the towpath and quoting this post at them. Could somebody talk to him?',
    rule: 1,
  });
}

async function suspendSpammer(town: Town): Promise<void> {
  const spam = { about: 'bargains', category: 'spam' } as const;
  const first = await report(town, {
    ...spam,
    by: 'rosa',
    ago: days(35) - 30,
    posts: ['spam1', 'spam2'],
    comment: 'Watches, again.',
  });
  await report(town, {
    ...spam,
    by: 'paco',
    ago: days(35) - 45,
    posts: ['spam2'],
    comment: 'Spam bajo cada hashtag.',
  });
  await handle(
    town,
    first,
    days(35) - 200,
    'New account, follows everybody, writes the same to all. Suspended.',
  );
  const text = 'This account only sends advertising. Rule 2.';
  await act(town, 'bargains', { type: 'suspend', report_id: first, text }, days(35) - 210);
}

async function silenceGrumbler(town: Town): Promise<void> {
  const first = await report(town, {
    by: 'paco',
    about: 'roy',
    ago: days(28) - 20,
    posts: ['rant1'],
    comment: 'Wishing accidents on people.',
    rule: 1,
  });
  const warning =
    'You may dislike bicycles. You may not wish accidents on the people who ride them. This is a warning; please take it as one.';
  await act(town, 'roy', { type: 'none', report_id: first, text: warning }, days(28) - 300);
  const second = await report(town, {
    by: 'mira',
    about: 'roy',
    ago: days(27) - 15,
    posts: ['rant2'],
    comment: 'This reads like a threat.',
    rule: 1,
  });
  await handle(
    town,
    second,
    days(27) - 240,
    'Second time in two days, after a warning. Limited; Ada agrees.',
  );
  const text = 'After the warning of yesterday your account is limited: only your followers see your posts.';
  await act(town, 'roy', { type: 'silence', report_id: second, text }, days(27) - 250);
}

async function winAppeal(town: Town): Promise<void> {
  const filed = await report(town, {
    by: 'felix',
    about: 'ben',
    ago: days(26) - 60,
    posts: ['drone'],
    comment: 'He films into windows with the drone.',
    rule: 3,
  });
  const text =
    'Pictures of other people’s homes need a yes first (rule 3). Your account is limited until we have talked.';
  await act(town, 'ben', { type: 'silence', report_id: filed, text }, days(26) - 400);
  const plea =
    'The owners of all nine houses asked me to look at their roofs after the storm, the insurance needs it. I have their letters. No window is in any picture.';
  await appealNewest(town, 'ben', days(25), plea);
  const [appeal] = await send<{ id: string }[]>(town, OPERATOR, 'GET /api/v1/admin/appeals', {
    ago: days(24),
  });
  const note = 'I have seen the letters. You are right and we were too quick. Sorry, Ben.';
  await send(town, OPERATOR, 'POST /api/v1/admin/appeals/:id/approve', {
    ago: days(24),
    params: { id: appeal?.id ?? '' },
    body: { note },
  });
}

/** A warning whose appeal waits for a decision. */
async function leaveAppealOpen(town: Town): Promise<void> {
  const filed = await report(town, {
    by: 'greta',
    about: 'nils',
    ago: days(2),
    comment: 'He announces his swim every morning at six, and the whole street reads it before coffee.',
  });
  const text = 'One post about the swim a day is enough, and please not at six.';
  await act(town, 'nils', { type: 'none', report_id: filed, text }, days(2) - 120);
  const plea = 'The lake is at its best at six, and no rule says when a post may be written.';
  await appealNewest(town, 'nils', days(1), plea);
}

async function reverseSuspension(town: Town): Promise<void> {
  const filed = await report(town, {
    by: 'priya',
    about: 'vera',
    ago: days(22) - 10,
    posts: ['poster2', 'poster3'],
    comment: 'The same poster three times. Is this spam?',
    category: 'spam',
  });
  await act(
    town,
    'vera',
    { type: 'suspend', report_id: filed, text: 'Repeated advertising. Rule 2.' },
    days(22) - 900,
  );
  await town.acting.settle();
  await note(
    town,
    AUDITOR,
    filed,
    days(21) + 60,
    'One choir with one concert is not spam. A warning at most, and not even that.',
  );
  await send(town, OPERATOR, 'POST /api/v1/admin/accounts/:id/unsuspend', {
    ago: days(21),
    params: { id: residentNamed(town, 'vera').id },
  });
}

async function dismissComplaint(town: Town): Promise<void> {
  const filed = await report(town, {
    by: 'henry',
    about: 'weather',
    ago: days(15),
    comment: 'It said sun. It rained on my leeks.',
  });
  await handle(town, filed, days(15) - 90, 'No rule is broken, only a forecast. Henry knows.');
  await send(town, MODERATOR, 'POST /api/v1/admin/reports/:id/resolve', {
    ago: days(15) - 95,
    params: { id: filed },
  });
}

/** Deletes an account in the name of its owner, as on the page of the settings. */
async function leave(town: Town): Promise<void> {
  const { id, token } = residentNamed(town, GONE.username);
  await eraseOwnAccount(await town.acting.person(token, momentOf(days(12), town.end)), id);
}
