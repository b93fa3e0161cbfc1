export { mailArchiveReady } from './mail.ts';
export { ARCHIVE_JOB, requestArchive, tidyArchives } from './request.ts';
