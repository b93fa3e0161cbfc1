import type { WebPage } from '#interfaces/web/page/page.ts';
import { editDomainBlockPage, newDomainBlockPage } from './block-form.ts';
import { domainAllowsPage, newDomainAllowPage, removeDomainAllowPage } from './domain-allows.ts';
import { domainBlocksPage, removeDomainBlockPage } from './domain-blocks.ts';
import { importAllowsPage, importBlocksPage } from './import.ts';
import { relayPages } from './relays.ts';

/** The servers that this one federates with. */
export const federationListPages: readonly WebPage[] = [
  domainBlocksPage,
  newDomainBlockPage,
  importBlocksPage,
  editDomainBlockPage,
  removeDomainBlockPage,
  domainAllowsPage,
  newDomainAllowPage,
  importAllowsPage,
  removeDomainAllowPage,
  ...relayPages,
];
