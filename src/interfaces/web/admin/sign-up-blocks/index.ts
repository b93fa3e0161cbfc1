import type { WebPage } from '#interfaces/web/page/page.ts';
import { emailDomainPages } from './email-domains.ts';
import { ipBlockPages } from './ip-blocks.ts';
import { mailboxPages } from './mailboxes.ts';

/** The e-mail domains, mailboxes and addresses that cannot sign up. */
export const signUpBlockPages: readonly WebPage[] = [...emailDomainPages, ...mailboxPages, ...ipBlockPages];
