import { emptyState } from '#interfaces/web/design/components.ts';
import { dataTable } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { ago, paragraphs } from '#interfaces/web/entities/texts.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { olderLink, type Place, placeIn } from '#interfaces/web/page/paging.ts';
import type { AdminAccount } from '#mastodon/schemas/index.ts';
import { SIGN_UPS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { personLink } from '../moderation/people.ts';

/** The page for the chosen ones. */
export const DECIDE = `${SIGN_UPS}/decide`;
export const MOST_SIGN_UPS = 40;

const COLUMNS = [
  { title: 'Sign-up' },
  { title: 'Choose' },
  { title: 'Reason for joining' },
  { title: 'E-mail address', breaks: true },
  { title: 'IP address' },
  { title: 'Waiting' },
];

/** Returns a page of the sign-ups that wait, and the parameters of the next one. */
export async function waitingSignUps({ api }: SignedInRequest, query: Place) {
  const asked = { status: 'pending', origin: 'local', limit: String(MOST_SIGN_UPS), ...query } as const;
  return api('GET v2/admin/accounts', { query: asked });
}

/** The sign-ups that wait, with boxes to choose several. */
export const signUpsPage = consolePage({
  path: SIGN_UPS,
  permission: 'manage_users',
  show: async (request) => {
    const { entity: waiting, next } = await waitingSignUps(request, placeIn(request.query));
    return {
      title: 'Sign-ups',
      body:
        waiting.length === 0
          ? emptyState({ icon: 'circle-check', text: 'No pending sign-ups.' })
          : html`<form method="get" action="${DECIDE}">
                ${dataTable(
                  COLUMNS,
                  waiting.map((account) => ({ cells: cellsOf(account, request) })),
                  { caption: 'Pending sign-ups, newest first' },
                )}
                <p class="quiet">Nothing happens before you confirm on the next page.</p>
                <div class="buttons">
                  <button type="submit" name="act" value="approve">Approve…</button>
                  <button type="submit" name="act" value="reject" class="danger">Reject…</button>
                </div>
              </form>
              ${olderLink(request, next)}`,
    };
  },
});

const cellsOf = (admin: AdminAccount, request: SignedInRequest): Html[] => [
  personLink(admin.account, request),
  html`<span class="tick"
    ><input type="checkbox" id="chosen-${admin.id}" name="id" value="${admin.id}" />
    <label for="chosen-${admin.id}"><span class="hush">Choose @${admin.username}</span></label></span
  >`,
  admin.invite_request ? paragraphs(admin.invite_request) : html`<span class="quiet">None given</span>`,
  html`${admin.email}${!admin.confirmed && html`<br /><span class="quiet">not confirmed</span>`}`,
  html`${admin.ip}`,
  ago(admin.created_at, request.ctx.now),
];
