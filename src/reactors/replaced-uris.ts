import { AccountUriReplaced } from '#events/federation.ts';
import { followAgain } from '#interfaces/federation/outbox/index.ts';
import { reactor } from '#kernel/reactor.ts';

/** Sends the follows of an account again after its server was set up anew, because that server knows none. */
export const replacedUris = reactor({
  name: 'replaced-uris',
  on: [AccountUriReplaced],
  react: (ctx, event, { signal }) => followAgain(ctx, { ...event.data, change: event.id }, signal),
});
