import type { Response } from 'express';
import type { Instance } from '../../../kernel/context.ts';
import { ourSources } from '../entities/addresses.ts';
import { framed, type Page, type Site } from './frame.ts';
import { sendDocument } from './send.ts';

export interface PageReply {
  page: Page;
  site: Site;
  instance: Instance;
  status?: number;
  headers?: Record<string, string>;
  /** The page has forms, which lead to this server only. */
  forms?: boolean;
}

/** Sends a page that may load only local pictures, videos and sounds. */
export function sendPage(
  res: Response,
  { page, site, instance, status = 200, headers = {}, forms = false }: PageReply,
): void {
  const sources = ourSources(instance);
  sendDocument(res, status, framed(page, site), {
    policy: [`img-src ${sources}`, `media-src ${sources}`, `form-action '${forms ? 'self' : 'none'}'`],
    headers,
  });
}
