import { showContext } from './context.ts';
import { showHistory } from './history.ts';
import { favouritedBy, rebloggedBy } from './marked-by.ts';
import { listQuotes } from './quotes.ts';
import { showStatus, showStatuses } from './show.ts';
import { showSource } from './source.ts';

export {
  findPresent,
  findReported,
  findStatuses,
  FOUND_COLUMNS,
  foundBySlot,
  selectFound,
  type Found,
  type RowOfFind,
} from './find.ts';
export { FETCH_REPLIES } from './far-replies.ts';
export { markedBy } from './marked-lists.ts';
export {
  foundPage,
  listStatuses,
  PAGE_JOINS,
  pageMentionsNotMutedBy,
  pageVisibleTo,
  pageNotMutedBy,
  statusPage,
  type PageRow,
} from './page.ts';
export { accountsOfHandles, type MentionedAccount, type NamedAccounts } from './mentioned.ts';
export { defaultPrivacy, postingFacts, type PostingAuthor, type PostingFacts } from './posting-facts.ts';
export { postingUsername } from './posting-username.ts';
export { pinnedCount } from './pins.ts';
export { quotedUrl, requireKnownQuote } from './quotes.ts';
export { justPostedText } from './just-posted.ts';
export { ofShownStatus } from './shown.ts';
export { showContext } from './context.ts';
export { ownStatus, showStatus, sourceText, statusText, touchedText } from './show.ts';
export {
  targetOpenToViewer,
  targetVisibleTo,
  targetViewerInteractedWith,
  visibleTarget,
  type TargetStatus,
} from './target.ts';
export const statusQueries = [
  showStatuses,
  showStatus,
  showContext,
  favouritedBy,
  rebloggedBy,
  showHistory,
  showSource,
  listQuotes,
];
