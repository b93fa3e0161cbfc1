import type { Services } from '#kernel/services.ts';
import type { ExistingMedia } from './media.ts';

/** Removes stored files of uploads; null means none. Files on other servers stay. */
export async function removeFiles(
  { media }: Pick<Services, 'media'>,
  places: readonly (string | null)[],
): Promise<void> {
  const keys = places.filter((place) => place !== null && !/^https?:/.test(place));
  await Promise.all(keys.map((key) => media.remove(key as string)));
}

/** Returns all stored files of an upload. */
export const filesOf = ({ attachment, source }: ExistingMedia): (string | null)[] => [
  attachment.file,
  attachment.preview,
  source,
];
