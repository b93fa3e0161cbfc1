import { deleteMedia } from './delete.ts';
import { updateMedia } from './update.ts';
import { uploadMedia, uploadMediaAndWait } from './upload.ts';

export { claimMedia, reattachMedia, releaseMedia } from './claim.ts';
export { checkTexts, mediaAttributes, mediaBody, type MediaTexts } from './input.ts';
export { eraseMedia, removeUnattached } from './delete.ts';
export { removeFiles } from './files.ts';
export { sealMedia } from './seal.ts';
export { processMedia } from './process.ts';
export { changeMedia, type MediaChanges } from './update.ts';
export const mediaCommands = [uploadMedia, uploadMediaAndWait, updateMedia, deleteMedia];
