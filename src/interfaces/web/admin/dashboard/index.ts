import { dashboardPage } from './dashboard.ts';

export const dashboardPages = [dashboardPage];
