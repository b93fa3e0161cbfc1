export { moveRemoteAccount, redirectRemoteAccount, removeRemoteAccount } from './moves.ts';
export {
  deleteRemoteStatus,
  editRemoteStatus,
  pinRemoteStatus,
  recordRemotePollResult,
  unpinRemoteStatus,
  type RemoteOwn,
} from './posts.ts';
export {
  acceptItem,
  featureHere,
  forgetCollection,
  keepItems,
  nameItem,
  proposeItem,
  rejectItem,
  upsertRemoteCollection,
  takeItem,
  withdrawItem,
  type FeaturedItem,
  type RemoteOwned,
} from './collections.ts';
export { aliasRemoteHandle, decideLoseHandle } from './account-names.ts';
export { countRemoteAccount, decideCount } from './count-account.ts';
export { describeAttachment, type FoundOfAttachment } from './describe-attachment.ts';
export { FETCH_COLLECTION, fetchCollectionAgain, fetchCollectionLater } from './fetch-collection.ts';
export { FETCH_ANCESTOR, fetchAncestor, MAX_ANCESTORS } from './fetch-ancestors.ts';
export { decideReplace, featureRemoteTag, replaceRemoteTags, unfeatureRemoteTag } from './feature-tags.ts';
export { fileFlag } from './flags.ts';
export {
  applyRemoteFavourite,
  mayVoteAsStranger,
  applyRemoteReblog,
  undoRemoteFavourite,
  undoRemoteReblog,
  applyRemoteVote,
} from './interactions.ts';
export {
  approveInteraction,
  changeRemoteInteractionPolicy,
  rejectInteraction,
} from './interaction-requests.ts';
export {
  applyRemoteFollowAnswer,
  applyRemoteBlock,
  endFollowsOf,
  applyRemoteFollow,
  undoRemoteBlock,
  undoRemoteFollow,
} from './follows.ts';
export { acceptQuote, changeRemoteQuotePolicy, proposeQuote, refuseQuote, withdrawQuote } from './quotes.ts';
export { decideLinkReply, linkReplies } from './link-replies.ts';
export {
  CAUSED_THERE,
  REFRESH_PROFILE,
  refreshProfileAgain,
  refreshProfileLater,
} from './refresh-profile.ts';
export { decideUpsertRemoteAccount, upsertRemoteAccount, type RemoteAccount } from './upsert-account.ts';
export { upsertRemoteStatus, type RemoteStatus } from './upsert-post.ts';
export { fetchReplies } from './fetch-replies.ts';
export { decideResolve, decideResolveOwn } from './decide-resolve.ts';
export { RESOLVE_MENTIONS, resolveMentions, resolveMentionsLater } from './resolve-mentions.ts';
export {
  removeErasedAccount,
  removeRemoteStatus,
  type RemovableAccount,
  type RemovableStatus,
} from './remove.ts';
export { decideRevoke, revokeInteraction } from './revoke-interaction.ts';
export {
  acceptListed,
  endUnlistedFollows,
  SYNCHRONIZE_FOLLOWERS,
  synchronizeFollowersLater,
} from './synchronize-followers.ts';
