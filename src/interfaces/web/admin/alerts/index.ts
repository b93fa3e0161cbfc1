import { alertPage } from './alert-page.ts';
import { alertsPage } from './alerts-page.ts';

/** Alerts to the operator, and their history. */
export const alertPages = [alertsPage, alertPage];
