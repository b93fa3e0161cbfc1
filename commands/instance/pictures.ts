import type { InstanceSettings } from '#events/instance.ts';
import type { CommandContext } from '#kernel/context.ts';

/** Pictures of the server have no owner: their content names them, and older ones stay. */

/** Stores a picture as the server's banner. @throws RookeryError `invalid` */
export async function storeBanner(
  { services: { images, media } }: CommandContext,
  file: Buffer,
): Promise<NonNullable<InstanceSettings['thumbnail']>> {
  const { once, twice, blurhash } = await images.processBanner(file);
  const [small, large] = await Promise.all([media.put(once.data, once), media.put(twice.data, twice)]);
  return { '@1x': small, '@2x': large, blurhash };
}

/** Stores a picture as the server's icon, in several sizes. @throws RookeryError `invalid` */
export async function storeIcon(
  { services: { images, media } }: CommandContext,
  file: Buffer,
): Promise<InstanceSettings['icon']> {
  const icons = await images.processIcon(file);
  return Promise.all(
    icons.map(async ({ size, image }) => ({ size, key: await media.put(image.data, image) })),
  );
}
