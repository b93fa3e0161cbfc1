import type { Response } from 'express';

/** The Content-Security-Policy of what no browser shows as a page: it may load and run nothing. */
export const NOTHING_ALLOWED =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sends a redirect, whose text Express writes in HTML. `path` is local, or was checked. */
export const sendRedirect = (res: Response, status: 301 | 302, path: string): void =>
  res.set('Content-Security-Policy', NOTHING_ALLOWED).redirect(status, path);
