import { acceptRequest, acceptRequests, dismissRequest, dismissRequests } from './answer-requests.ts';
import { changePolicy, changeV1Policy } from './change-policy.ts';
import {
  clearGroupedNotifications,
  clearNotifications,
  dismissGroup,
  dismissNotification,
} from './dismiss.ts';

export const notificationCommands = [
  acceptRequests,
  dismissRequests,
  acceptRequest,
  dismissRequest,
  clearNotifications,
  clearGroupedNotifications,
  dismissNotification,
  changePolicy,
  changeV1Policy,
  dismissGroup,
];
