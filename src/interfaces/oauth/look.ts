import type { Instance } from '#kernel/context.ts';
import type { Db } from '#kernel/read.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { iconOf, type Site } from '../web/page/frame.ts';

/** The parts of the look that settings change. */
export type Look = Pick<Site, 'icon' | 'accent'>;

/** The look that needs nothing from the database. */
export const PLAIN: Look = { icon: undefined, accent: null };

export const lookOf = (db: Db, instance: Instance): Promise<Look> =>
  unlessHalted(
    async () => {
      const settings = await instanceSettings(db);
      return { icon: iconOf(settings, instance), accent: settings.accent_color };
    },
    () => PLAIN,
  );
