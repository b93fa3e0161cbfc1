import type { JobDefinition } from '#adapters/jobs/handler.ts';
import { findLinkBack } from '#adapters/preview-cards/link-back.ts';
import { askForLinks, askLater, linkToVerify, VERIFY_LINK, verifyLink } from '#commands/accounts/index.ts';
import { AccountCreated, AccountUpdated } from '#events/accounts.ts';
import { reactor } from '#kernel/reactor.ts';

/** Fetches the pages that profiles link to: https://docs.joinmastodon.org/user/profile/#verification */
export const newLinks = reactor({
  name: 'link-verification',
  on: [AccountCreated, AccountUpdated],
  ignores: ({ data }) =>
    !data.fields?.some(({ value, verified_at }) => verified_at === null && /^http/.test(value)),
  react: (ctx, { data }) => askForLinks(ctx, data.id),
});

/** Checks whether a page links back to the profile that links to it. */
export const verifyProfileLink: JobDefinition = {
  name: VERIFY_LINK,
  running: 4,
  outside: 64,
  work: async (ctx, { account_id, link, failures }, { signal }) => {
    if (typeof account_id !== 'string' || typeof link !== 'string' || typeof failures !== 'number') return;
    const job = { account_id, link, failures };
    const asked = await linkToVerify(ctx, job);
    if (!asked) return;
    const answer = await findLinkBack(asked.value, asked.profileUrl, { http: ctx.services.http, signal });
    if (answer === 'found') await verifyLink(ctx, { accountId: account_id, value: asked.value });
    else if (answer === 'unknown') await askLater(ctx, job);
  },
};
