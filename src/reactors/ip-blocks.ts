import { endExpired } from '#commands/admin/ip-blocks/index.ts';
import { IpBlockChanged, IpBlocked, ipBlockSubject, IpUnblocked } from '#events/ip-blocks.ts';
import { MAIN } from '#kernel/projection.ts';
import { reactor, timer } from '#kernel/reactor.ts';
import { expiredIpBlocks, ipBlockRows } from '#queries/admin/ip-blocks/index.ts';

/** Lifts IP blocks when they expire. */
export const ipBlockTimer = timer({
  name: 'ip-blocks',
  wakes: [IpBlocked, IpBlockChanged],
  wakesWhen: ({ data }) => typeof data.expires_at === 'string',
  reads: [MAIN],
  due: expiredIpBlocks,
  fire: (ctx, { digest }) => endExpired(ctx, digest),
});

/** Destroys the key of a lifted block, and with it the address everywhere in the log. */
export const liftedIpBlocks = reactor({
  name: 'lifted-ip-blocks',
  on: [IpUnblocked],
  react: async (ctx, { data }) => {
    if (data.key_id === undefined) {
      // The block may cover another range by now.
      if ((await ipBlockRows(ctx.db, data)).length > 0) return;
    }
    await ctx.services.personalData.erase(ipBlockSubject(data));
  },
});
