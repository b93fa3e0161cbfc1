import { createFederation, type Federation, INBOX_JOB } from '#interfaces/federation/index.ts';
import type { Instance } from '#kernel/context.ts';
import { findKnown } from '#queries/search/index.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import type { Caches } from './caches.ts';
import type { Foundation } from './foundation.ts';
import type { Gateways } from './gateways.ts';

interface Parts {
  instance: Instance;
  caches: Caches;
  gateways: Gateways;
}

/** Creates the federation with other servers, by the settings. */
export function federationFor(foundation: Foundation, { instance, caches, gateways }: Parts): Federation {
  const { config, keys, logger, stores, contexts } = foundation;
  const { db } = stores;
  return createFederation({
    db,
    http: gateways.http,
    room: gateways.room,
    instance,
    remoteAccounts: caches.remoteAccounts,
    receiptDays: config.federation.receiptDays,
    leaseSeconds: config.federation.leaseSeconds,
    masterKey: keys.master,
    instanceKey: keys.instance,
    known: (query) => findKnown(db, instance, query),
    context: () => contexts.systemContext('federation'),
    commandContext: (command) => contexts.commandContext(INBOX_JOB, command),
    commandId: deriveId,
    onRefusal: (error) => logger.info({ err: error }, 'remote server refused: not believed or not reached'),
    onError: (error) => logger.warn({ err: error }, 'deliveries interrupted: trying again'),
  });
}
