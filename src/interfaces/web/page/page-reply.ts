import type { Response } from 'express';
import type { Instance } from '#kernel/context.ts';
import { ourSources } from '../entities/addresses.ts';
import { framed, type Page, type Site } from './frame.ts';
import type { Visitor } from './navigation.ts';
import { sendDocument } from './send.ts';

export interface PageReply {
  page: Page;
  site: Site;
  instance: Instance;
  status?: number;
  headers?: Record<string, string>;
  /** The page has forms, which lead to this server only. */
  forms?: boolean;
  /** A stranger unless given. */
  visitor?: Visitor;
}

const STRANGER: Visitor = { path: '' };

/** Sends a page that may load only local pictures, videos and sounds, and the script for signed-in users. */
export function sendPage(
  res: Response,
  { page, site, instance, status = 200, headers = {}, forms = false, visitor = STRANGER }: PageReply,
): void {
  const sources = ourSources(instance);
  const runs = visitor.user ? ["script-src 'self'", "connect-src 'self'"] : [];
  const policy = [
    `img-src ${sources}`,
    `media-src ${sources}`,
    ...(page.leadsElsewhere ? [] : [`form-action '${forms ? 'self' : 'none'}'`]),
    ...runs,
  ];
  sendDocument(res, status, framed(page, site, visitor), { policy, headers });
}
