import sharp from 'sharp';
import type { Load } from './load.ts';
import { answerJobs } from './processes.ts';

/** Uploads pictures, or does with bare sharp what the server does with them; a process of its own. */
export interface PictureJob {
  kind: 'upload' | 'sharp';
  url: string;
  token: string;
  seconds: number;
}

const WIDTH = 4_000;
const HEIGHT = 3_000;
const MEGAPIXELS = (WIDTH * HEIGHT) / 1_000_000;
/** The server works on one at a time; the second keeps it from waiting for the next upload. */
const UPLOADS = 2;
/** The rendered sizes of 4:3: 8.3 megapixels, and a preview of 640x360 pixels. */
const ORIGINAL = { width: 3_326, height: 2_494 };
const PREVIEW = { width: 554, height: 416 };

let made: Promise<Buffer> | undefined;

/** `perSecond` counts megapixels. */
answerJobs(async ({ kind, url, token, seconds }: PictureJob): Promise<Load> => {
  const picture = await (made ??= photograph());
  const once =
    kind === 'upload'
      ? (): Promise<void> => upload(url, token, picture)
      : (): Promise<void> => resize(picture);
  await once();
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1_000;
  const loop = async (): Promise<void> => {
    for (let before = performance.now(); before < end;) {
      await once();
      const now = performance.now();
      latencies.push(now - before);
      before = now;
    }
  };
  await Promise.all(Array.from({ length: kind === 'upload' ? UPLOADS : 1 }, loop));
  const elapsed = (performance.now() - started) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return { perSecond: (latencies.length * MEGAPIXELS) / elapsed, p50: at(0.5), p99: at(0.99), posted: [] };
});

/** With as much detail as a photograph: some 5 MB. */
async function photograph(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const rough = await sharp({
    create: { width: WIDTH / 4, height: HEIGHT / 4, channels: 3, background: 'gray', noise },
  })
    .png()
    .toBuffer();
  return sharp(rough).resize(WIDTH, HEIGHT).jpeg({ quality: 92 }).toBuffer();
}

async function upload(url: string, token: string, picture: Buffer): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'photograph.jpg');
  const response = await fetch(`${url}/api/v2/media`, {
    method: 'POST',
    body: form,
    headers: { Authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`An upload was answered ${response.status}: ${text}`);
}

async function resize(picture: Buffer): Promise<void> {
  sharp.concurrency(1);
  sharp.cache(false);
  for (const size of [ORIGINAL, PREVIEW]) {
    await sharp(picture)
      .autoOrient()
      .resize({ ...size, fit: 'fill' })
      .jpeg({ quality: 90 })
      .toBuffer();
  }
}
