import type { WebPage } from '../../page/page.ts';
import { emailDomainPages } from './email-domains.ts';
import { ipBlockPages } from './ip-blocks.ts';
import { mailboxPages } from './mailboxes.ts';

/** What staff keep from signing up: e-mail domains, mailboxes and addresses. */
export const signUpBlockPages: readonly WebPage[] = [...emailDomainPages, ...mailboxPages, ...ipBlockPages];
