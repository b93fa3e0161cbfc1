import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { RemoteHandleLost } from '#events/federation.ts';
import { reactor } from '#kernel/reactor.ts';
import { remoteUriOf } from '#queries/federation/index.ts';

const CONFIRM_HANDLE = 'confirm-handle';

/** Asks for the present handle of an account whose former one belongs to another account. */
export const lostHandles = reactor({
  name: 'lost-handles',
  on: [RemoteHandleLost],
  react: async (ctx, { data: { account_id } }) => {
    const uri = await remoteUriOf(ctx.db, account_id);
    if (uri === undefined) return;
    const owner = URL.parse(uri)?.host ?? '';
    await ctx.services.jobs.enqueue(CONFIRM_HANDLE, { uri }, { singletonKey: account_id, owner });
  },
});

/** Fetches an actor and the handle that WebFinger confirms, which renames its account. */
export const confirmHandle: JobDefinition = {
  name: CONFIRM_HANDLE,
  outside: 64,
  work: async (ctx, { uri }) => {
    if (typeof uri === 'string') await ctx.services.resolver.identify(uri);
  },
};
