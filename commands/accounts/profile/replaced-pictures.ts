import { removeFiles } from '#commands/media/index.ts';
import { type AccountEvent, accountStream, type Profile } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import type { Id } from '#kernel/ids.ts';

/** The files of a profile's pictures, present and former. */
interface ProfilePictures {
  avatar: readonly string[];
  header: readonly string[];
  ever: readonly string[];
}

const profilePictures: Decider<ProfilePictures, AccountEvent> = {
  initialState: { avatar: [], header: [], ever: [] },
  evolve(state, { type, data }) {
    if (type !== 'AccountCreated' && type !== 'AccountUpdated') return state;
    const { avatar, header } = data;
    return {
      avatar: avatar === undefined ? state.avatar : placesOfPictures({ avatar }),
      header: header === undefined ? state.header : placesOfPictures({ header }),
      ever: [...state.ever, ...placesOfPictures({ avatar, header })],
    };
  },
};

/** Returns the files of these pictures. */
export const placesOfPictures = ({ avatar, header }: ShownPictures): string[] =>
  [avatar, header].flatMap((picture) => (picture ? [picture.original, picture.static] : []));

interface ShownPictures {
  avatar?: Profile['avatar'] | undefined;
  header?: Profile['header'] | undefined;
}

/** Removes the files of former avatars and headers of a local profile. May run again. */
export async function removeReplacedPictures(ctx: CommandContext, accountId: Id): Promise<void> {
  const { avatar, header, ever } = await ctx.load(accountStream(accountId), profilePictures);
  const shown = new Set([...avatar, ...header]);
  const replaced = new Set(ever.filter((place) => !shown.has(place)));
  await removeFiles(ctx.services, [...replaced]);
}
