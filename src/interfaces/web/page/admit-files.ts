import { isRookeryError, type RookeryError } from '#kernel/errors.ts';
import type { WebPage, WebRequest } from './page.ts';

/** Why the files of a form are not taken, or what ends their upload. */
export interface Admission {
  denial?: RookeryError;
  end?: () => void;
}

/** Asks a page whether it takes the files of a form. Visitors who are not signed in are refused later, and send none. */
export async function admitFiles(page: WebPage, request: WebRequest): Promise<Admission> {
  const { user } = request;
  if (page.audience === 'everybody' || !page.admitFiles || !user) return {};
  try {
    return { end: await page.admitFiles({ ...request, user }) };
  } catch (error) {
    if (isRookeryError(error)) return { denial: error };
    throw error;
  }
}
