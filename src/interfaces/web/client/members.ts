import { isRookeryError } from '#kernel/errors.ts';
import { signInThen } from '../page/layout.ts';
import type { WebRequest, WebResponse } from '../page/page.ts';
import { hereOf } from '../page/request-view.ts';

/** Shows an open page. Strangers whom the API refuses sign in first, and come back. */
export async function orSignIn(request: WebRequest, show: () => Promise<WebResponse>): Promise<WebResponse> {
  try {
    return await show();
  } catch (error) {
    if (request.user || !isRookeryError(error) || error.code !== 'unauthorized') throw error;
    return { redirect: signInThen(hereOf(request)) };
  }
}
