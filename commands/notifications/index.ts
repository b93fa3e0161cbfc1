import { answerRequestCommands } from './answer-requests.ts';
import { changePolicy, changeV1Policy } from './change-policy.ts';
import {
  clearGroupedNotifications,
  clearNotifications,
  dismissGroup,
  dismissNotification,
} from './dismiss.ts';

export const notificationCommands = [
  ...answerRequestCommands,
  clearNotifications,
  clearGroupedNotifications,
  dismissNotification,
  changePolicy,
  changeV1Policy,
  dismissGroup,
];
