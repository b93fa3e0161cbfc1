import { createPost, createStatus } from './create.ts';
import { deleteStatus } from './delete.ts';
import { editStatus, withMark } from './edit.ts';
import { changeInteractionPolicy } from './interaction-policy.ts';
import {
  bookmarkStatus,
  decideFavourite,
  decideUnfavourite,
  favouriteStatus,
  unbookmarkStatus,
  unfavouriteStatus,
} from './mark.ts';
import { decideMuteThread, muteThread, unmuteThread } from './mute-thread.ts';
import { decidePin, decideUnpin, pinQuota, pinStatus, unpinStatus } from './pin.ts';
import { decideReblog, decideUnreblog, reblogStatus, unreblogStatus } from './reblog.ts';
import { revokeQuote } from './revoke-quote.ts';

export { bookmarkAs, unbookmarkAs } from './mark.ts';
export { contentHtml, type ContentFacts } from './content.ts';
export { attachCard } from './attach-card.ts';
export { CardAuthors } from './card-author.ts';
export { createPost };
export { postInput } from './post-input.ts';
export { publishScheduled } from './publish-scheduled.ts';
export { closePoll } from './close-poll.ts';
export { filesRemovedWith } from './removed-files.ts';
export { mediaEverOf, attachOrReleaseMedia } from './attached-media.ts';
export { attachOrReleaseScheduledMedia, releaseUnused } from './unused-media.ts';
export { decideDelete } from './delete.ts';
export { askedAnew } from './edit-poll.ts';
export { interaction, type Interaction, type Target } from './interaction.ts';
export {
  decideApproveFavourite,
  decideApproveReblog,
  decideApproveReply,
  decideEndFavouriteRequest,
  decideEndReblogRequest,
  decideEndReplyRequest,
  decideInteractionPolicy,
} from './requests.ts';
export { decideQuotePolicy } from './interaction-policy.ts';
export {
  decideAcceptQuote,
  decideProposeQuote,
  decideRefuseQuote,
  decideWithdraw,
  type Quoted,
} from './quotes.ts';
export { markWithout } from './sensitive-mark.ts';
export { status, type PollTally, type Status } from './status.ts';
export {
  decideFavourite,
  decideMuteThread,
  decidePin,
  decideReblog,
  decideUnfavourite,
  decideUnpin,
  decideUnreblog,
  pinQuota,
  withMark,
};
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
