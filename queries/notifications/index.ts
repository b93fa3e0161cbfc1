import { listGroupAccounts, listGroups, showGroup } from './grouped.ts';
import { listNotifications, showNotification } from './list.ts';
import { showPolicy, showV1Policy } from './policy.ts';
import { listRequests, requestsMerged, showRequest } from './requests.ts';
import { unreadCount, unreadGroupCount } from './unread-count.ts';

export { arrivedNotifications, arrivedText, type Arrived, type Happening } from './arrived.ts';
export { parseGroupKey } from './group-key.ts';
export { newestOf } from './groups.ts';
export { newestNotification, ownNotification } from './list.ts';
export { policyOf, v1PolicyOf } from './policy.ts';
export { NOTIFICATION_TITLES } from './titles.ts';
export { unrounded } from './rounded.ts';
export { pendingRequests, type PendingRequest } from './requests.ts';

export const notificationQueries = [
  listNotifications,
  unreadCount,
  listRequests,
  requestsMerged,
  showRequest,
  showV1Policy,
  showNotification,
  listGroups,
  unreadGroupCount,
  showPolicy,
  showGroup,
  listGroupAccounts,
];
