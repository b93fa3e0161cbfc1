import type { WebPage } from '#interfaces/web/page/page.ts';
import { deadLetterPages } from './dead-letter.ts';
import { hostPages } from './host.ts';
import { hostsPage } from './hosts.ts';
import { jobsPage } from './jobs.ts';
import { projectionPage } from './projection.ts';
import { projectionActs } from './projection-acts.ts';
import { projectionsPage } from './projections.ts';
import { reactorsPage } from './reactors.ts';

/** The pages for those who operate the server. */
export const operationPages: readonly WebPage[] = [
  ...[projectionsPage, ...projectionActs, projectionPage],
  ...[reactorsPage, ...deadLetterPages],
  jobsPage,
  ...[hostsPage, ...hostPages],
];
