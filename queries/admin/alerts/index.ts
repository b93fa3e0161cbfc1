import { listAlerts, showAlert } from './endpoints.ts';

export { findAlert, openAlerts } from './alerts.ts';

export const adminAlertQueries = [listAlerts, showAlert];
