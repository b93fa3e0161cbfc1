import { html } from '#interfaces/web/design/html.ts';
import type { WebRequest, WebResponse } from '#interfaces/web/page/page.ts';
import type { Attached } from './attachments.ts';
import { type Desk, deskFor } from './desk.ts';
import type { Draft } from './draft.ts';
import { problemsOn } from './problem-notes.ts';
import type { Refused } from './problems.ts';

interface Shown {
  draft: Draft;
  known: Attached;
  page: (request: WebRequest, desk: Desk) => WebResponse;
}

/** Shows a draft again: with status 200 when nothing was refused. The script gets the problems alone. */
export async function shownAgain(
  request: WebRequest,
  { draft, known, page }: Shown,
  { problems, status, headers }: Refused,
): Promise<WebResponse> {
  const desk = await deskFor(request, draft, { problems, known });
  if (desk.problems.length === 0) return page(request, desk);
  if (request.wantsFragment) return { fragment: html`${problemsOn(desk)}`, status, headers };
  return { ...page(request, desk), status, headers };
}
