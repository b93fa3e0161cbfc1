import { createStatus } from './create.ts';
import { deleteStatus } from './delete.ts';
import { bookmarkStatus, favouriteStatus, unbookmarkStatus, unfavouriteStatus } from './mark.ts';
import { muteThread, unmuteThread } from './mute-thread.ts';
import { pinStatus, unpinStatus } from './pin.ts';
import { reblogStatus, unreblogStatus } from './reblog.ts';

export { attachCard } from './attach-card.ts';
export { publishScheduled } from './publish-scheduled.ts';
export { closePoll } from './close-poll.ts';
export const statusCommands = [
  createStatus,
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
