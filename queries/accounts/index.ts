import { verifyCredentials } from './credentials.ts';
import { accountEndorsements } from './endorsements.ts';
import { familiarFollowers } from './familiar-followers.ts';
import { accountFollowers, accountFollowing } from './followers.ts';
import { identityProofs } from './identity-proofs.ts';
import { showRelationships } from './relationships.ts';
import { searchForAccounts } from './search.ts';
import { lookupAccount, showAccount, showAccounts } from './show.ts';
import { accountStatuses } from './statuses.ts';

export { aliasesOf, type Alias } from './aliases.ts';
export { mayBeCredited } from './attribution.ts';
export { credentialsText } from './credentials.ts';
export { followCounts, followFacts, followIsNew, type FollowFacts } from './follow-facts.ts';
export { followersToMove, type FollowerToMove } from './followers-to-move.ts';
export { notesAbout, type NoteAbout } from './notes-about.ts';
export { localBlockersOf, localMutersOf, type Muter } from './blockers-and-muters.ts';
export {
  accountIdOf,
  accountIdOfHandle,
  accountsOfKeys,
  acctKey,
  handlesOf,
  isKnownAccount,
  requireAccount,
  type KeyedAccount,
  type KnownHandle,
} from './known.ts';
export { accountIdOfAddress } from './of-address.ts';
export { relationshipOf } from './relationships.ts';
export { findAccount, namesFarAccount, searchAccounts, type AccountSearch } from './search.ts';
export { accountFollowers, accountFollowing } from './followers.ts';
export { accountsText, accountText, lookupAccount, showAccount } from './show.ts';
export { signUpApplication } from './sign-up-application.ts';
export { accountStatuses } from './statuses.ts';

export const accountQueries = [
  verifyCredentials,
  lookupAccount,
  searchForAccounts,
  showRelationships,
  familiarFollowers,
  showAccounts,
  showAccount,
  accountStatuses,
  accountFollowers,
  accountFollowing,
  accountEndorsements,
  identityProofs,
];
