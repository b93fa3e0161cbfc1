import type { Entry } from '#interfaces/oauth/sign-in.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';
import { mayDo } from '#mastodon/permissions.ts';
import { instanceFacts } from '#queries/instance/index.ts';
import { homeOf } from '../page/layout.ts';
import type { WebRequest } from '../page/page.ts';
import { SERVER } from './server/steps.ts';

/** Returns the page after signing in: that of the owner of a server without a name and rules is its setup. */
export async function destinationOf(
  { ctx, services }: WebRequest,
  { session, lockedOut }: Entry,
): Promise<string> {
  const user = session.accountId === undefined ? undefined : await services.users.byId(session.accountId);
  const home = homeOf({ lockedOut, moved: user?.moved === true });
  if (lockedOut || !mayDo(user?.role ?? null, 'manage_settings')) return home;
  return unlessHalted(
    async () => {
      const { settings, rules } = await instanceFacts(ctx);
      const isNew = settings.title === '' && settings.short_description === '' && rules.length === 0;
      return isNew ? SERVER : home;
    },
    () => home,
  );
}
