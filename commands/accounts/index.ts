import { updateCredentials } from './profile/update-credentials.ts';
import { blockAccount, unblockAccount } from './relationships/block.ts';
import { endorseAccount, pinAccount, unendorseAccount, unpinAccount } from './relationships/endorse.ts';
import { followAccount } from './relationships/follow.ts';
import { muteAccount, unmuteAccount } from './relationships/mute.ts';
import { noteAccount } from './relationships/note.ts';
import { removeFromFollowers } from './relationships/remove-from-followers.ts';
import { unfollowAccount } from './relationships/unfollow.ts';
import { signUp } from './sign-up.ts';

export { account, requireUser, type Account, type ExistingAccount, type User } from './account.ts';
export { addAlias, MAX_ALIASES, removeAlias } from './aliases.ts';
export { changeProfile, PROFILE_FILES, removePicture } from './profile/change-profile.ts';
export { changePreferences } from './profile/change-preferences.ts';
export { EXPANDED_MEDIA, PRIVACIES, QUOTE_POLICIES } from './profile/preferences.ts';
export { updateBody } from './profile/profile-input.ts';
export { problemsWithEmail } from './blocked-email.ts';
export {
  ADDRESS_CHANGE_MAIL,
  addressesOf,
  confirmEmailChange,
  mailAddressChange,
  mailAddressLeaves,
  requestEmailChange,
} from './sign-in/change-email.ts';
export { confirm, sendConfirmation, trySendConfirmation } from './sign-in/confirmation.ts';
export { recordActivity } from './activity.ts';
export { createAccount, type NewAccount } from './create-account.ts';
export { rotateKeys } from './rotate-keys.ts';
export { mayRelocate } from './remote-state.ts';
export { follow, followAs, isNewFollow } from './relationships/follow.ts';
export { eraseAccount, eraseOwnAccount, isLastOwner, LAST_OWNER_STAYS } from './erase.ts';
export { issueToken } from './sign-in/issue-token.ts';
export { mailWarning } from './sign-in/mail-warning.ts';
export {
  cancelMigration,
  migrateAccount,
  moveAccount,
  presentMove,
  replayMove,
  type PresentMove,
} from './migrate.ts';
export {
  approveSignUp,
  decideAction,
  decideLifting,
  lift,
  refuseType,
  rejectSignUp,
  requireBelow,
  takeAction,
  type Sanction,
  type Staff,
} from './moderate.ts';
export { hasJustMoved } from './moves-state.ts';
export { giveRole } from './give-role.ts';
export { forgetTokens, modifyUser, type UserChanges } from './modify-user.ts';
export { emailDigest, holderOfUsername, releaseEmail, reserveEmail } from './reservations.ts';
export {
  canResetPassword,
  changePassword,
  mailPasswordChanged,
  mailPasswordReset,
  PASSWORD_RESET_MAIL,
  requestPasswordReset,
  resetPassword,
} from './sign-in/reset-password.ts';
export { totpCode, totpUri } from './sign-in/totp.ts';
export { userNamedInLog, userOfLog } from './sign-in/user-of-log.ts';
export {
  disableTwoFactor,
  reportWrongCode,
  WRONG_CODE_MAIL,
  enableTwoFactor,
  mailTwoFactor,
  prepareTwoFactor,
  replaceRecoveryCodes,
  twoFactorOf,
  useSecondFactor,
  WRONG_CODE,
} from './sign-in/two-factor.ts';
export {
  canonicalEmail,
  canonicalEmailHash,
  isReservedUsername,
  MAX_USERNAME_LENGTH,
  normalizeEmail,
  validateEmail,
  validatePassword,
  validateUsername,
} from './validation.ts';
export { placesOfPictures, removeReplacedPictures } from './profile/replaced-pictures.ts';
export { admissionOf, MAX_REASON, register, signUpBody, type Admission } from './sign-up.ts';
export { askForLinks, askLater, linkToVerify, VERIFY_LINK, verifyLink } from './profile/verify-links.ts';

export const accountCommands = [
  signUp,
  updateCredentials,
  followAccount,
  unfollowAccount,
  removeFromFollowers,
  blockAccount,
  unblockAccount,
  muteAccount,
  unmuteAccount,
  endorseAccount,
  unendorseAccount,
  pinAccount,
  unpinAccount,
  noteAccount,
];
