import sharp from 'sharp';

/** A picture with visible content: a gradient from teal to orange. */
export async function picture(
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' = 'jpeg',
): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="g"><stop stop-color="#008080"/><stop offset="1" stop-color="#ff8800"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#g)"/></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().toFormat(format).toBuffer();
}

/** Returns a form with one file and text fields. */
export function uploadForm(
  file: Buffer | string,
  texts: Record<string, string> = {},
  { name = 'upload', type = 'application/octet-stream', thumbnail }: FormFile = {},
): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(texts)) form.set(key, value);
  form.set('file', blob(file, type), name);
  if (thumbnail) form.set('thumbnail', blob(thumbnail, 'image/png'), 'thumbnail.png');
  return form;
}

interface FormFile {
  name?: string;
  type?: string;
  thumbnail?: Buffer;
}

const blob = (data: Buffer | string, type: string): Blob =>
  new Blob([typeof data === 'string' ? data : new Uint8Array(data)], { type });
