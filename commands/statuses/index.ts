import { createStatus } from './create.ts';
import { deleteStatus } from './delete.ts';
import { editStatus } from './edit.ts';
import { changeInteractionPolicy } from './interaction-policy.ts';
import { bookmarkStatus, favouriteStatus, unbookmarkStatus, unfavouriteStatus } from './mark.ts';
import { muteThread, unmuteThread } from './mute-thread.ts';
import { pinStatus, unpinStatus } from './pin.ts';
import { reblogStatus, unreblogStatus } from './reblog.ts';
import { revokeQuote } from './revoke-quote.ts';

export { attachCard } from './attach-card.ts';
export { publishScheduled } from './publish-scheduled.ts';
export { closePoll } from './close-poll.ts';
export { interaction } from './interaction.ts';
export { decideUnfavourite } from './mark.ts';
export { decideUnreblog } from './reblog.ts';
export { settleMedia } from './settle-media.ts';
export { status, type Status } from './status.ts';
export const statusCommands = [
  createStatus,
  editStatus,
  changeInteractionPolicy,
  revokeQuote,
  deleteStatus,
  reblogStatus,
  unreblogStatus,
  favouriteStatus,
  unfavouriteStatus,
  bookmarkStatus,
  unbookmarkStatus,
  muteThread,
  unmuteThread,
  pinStatus,
  unpinStatus,
];
