import type { Response } from 'express';

/** Sends a small page of ours; title and content are HTML already. */
export function sendPage(res: Response, status: number, title: string, content: string): void {
  res
    .status(status)
    .set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    .type('html')
    .send(
      `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
        '<meta name="viewport" content="width=device-width"></head>' +
        '<body style="font-family: sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem">' +
        `<h1>${title}</h1>${content}</body></html>`,
    );
}
