import type { AccountEvent } from '#events/accounts.ts';
import { type Past, shownOf, type StrikeFacts, withValue } from './world.ts';

type Strikes = ReadonlyMap<string, StrikeFacts>;

/** Returns the strikes after an event of the stream of an account, with their appeals. */
export function evolveStrikes(strikes: Strikes, event: Past<AccountEvent>): Strikes {
  switch (event.type) {
    case 'AccountWarned': {
      const { id, account_id, action, text, report_id, status_ids } = event.data;
      const unappealed = { overruled: false, appeal: null, appeal_text: '', appeal_note: '' };
      const strike = { id, account_id, action, text, report_id, status_ids, shown: shownOf(event) };
      return withValue(strikes, id, { ...strike, ...unappealed });
    }
    case 'AppealFiled':
      return changed(strikes, event.data, { appeal: 'pending', appeal_text: event.data.text });
    case 'AppealWithdrawn':
      return changed(strikes, event.data, { appeal: 'withdrawn' });
    case 'AppealRejected':
      return changed(strikes, event.data, { appeal: 'rejected', appeal_note: event.data.note });
    case 'AppealApproved':
      return changed(strikes, event.data, {
        appeal: 'approved',
        appeal_note: event.data.note,
        overruled: true,
      });
    case 'AccountErased':
    case 'UserRejected':
      return withoutWaiting(strikes, event.data.account_id);
    default:
      return strikes;
  }
}

function changed(
  strikes: Strikes,
  { strike_id }: { strike_id: string },
  change: Partial<StrikeFacts>,
): Strikes {
  const before = strikes.get(strike_id);
  return before ? withValue(strikes, strike_id, { ...before, ...change }) : strikes;
}

/** The appeals of an erased user need no decision. */
const withoutWaiting = (strikes: Strikes, accountId: string): Strikes =>
  new Map(
    [...strikes].map(([id, strike]) => [
      id,
      strike.account_id === accountId && strike.appeal === 'pending'
        ? { ...strike, appeal: 'withdrawn' as const }
        : strike,
    ]),
  );
