import { showMedia } from './show.ts';

export { attachmentsById } from './attachments.ts';
export { unattachedMedia } from './unattached.ts';
export const mediaQueries = [showMedia];
