/** The pictures of accounts without their own, as PNG. */
export interface Placeholders {
  avatar: Buffer;
  header: Buffer;
}

/** A head and shoulders. */
const AVATAR = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 400 400">
  <rect width="400" height="400" fill="#5b6b86"/>
  <circle cx="200" cy="155" r="72" fill="#c9d2e0"/>
  <path d="M60 400a140 140 0 0 1 280 0z" fill="#c9d2e0"/>
</svg>`;

/** Three by one, like profile headers; plain, because text is drawn over it. */
const HEADER = `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="500" viewBox="0 0 1500 500">
  <linearGradient id="sky" x2="1" y2="1">
    <stop offset="0" stop-color="#5b6b86"/>
    <stop offset="1" stop-color="#39445a"/>
  </linearGradient>
  <rect width="1500" height="500" fill="url(#sky)"/>
</svg>`;

let drawn: Promise<Placeholders> | undefined;

/** Returns the placeholders, drawn on first use. */
export const placeholders = (): Promise<Placeholders> => (drawn ??= drawPlaceholders());

async function drawPlaceholders(): Promise<Placeholders> {
  const [avatar, header] = await Promise.all([AVATAR, HEADER].map(draw));
  if (!avatar || !header) throw new Error('The placeholders were not drawn');
  return { avatar, header };
}

/** Loads sharp on demand, so an idle server saves its memory. */
async function draw(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
}
