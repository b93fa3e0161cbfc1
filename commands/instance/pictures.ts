import type { InstanceSettings } from '../../src/events/instance.ts';
import type { CommandContext } from '../../src/kernel/context.ts';

/** Pictures of the server have no owner: they are named by their content, and older ones stay. */

/** Makes the server's banner of a picture. @throws RookeryError `invalid` */
export async function storeBanner(
  { services: { images, media } }: CommandContext,
  file: Buffer,
): Promise<NonNullable<InstanceSettings['thumbnail']>> {
  const { once, twice, blurhash } = await images.processBanner(file);
  const [small, large] = await Promise.all([media.put(once.data, once), media.put(twice.data, twice)]);
  return { '@1x': small, '@2x': large, blurhash };
}

/** Makes the server's icon of a picture, in several sizes. @throws RookeryError `invalid` */
export async function storeIcon(
  { services: { images, media } }: CommandContext,
  file: Buffer,
): Promise<InstanceSettings['icon']> {
  const icons = await images.processIcon(file);
  return Promise.all(
    icons.map(async ({ size, image }) => ({ size, key: await media.put(image.data, image) })),
  );
}
