/** The pages of the console that mails to staff lead to. */
export const reportPage = (id: string): string => `/admin/reports/${id}`;
export const appealPage = (id: string): string => `/admin/appeals/${id}`;
export const accountPage = (id: string): string => `/admin/accounts/${id}`;
export const SIGN_UPS_PAGE = '/admin/sign_ups';
export const TREND_PAGES = {
  tag: '/admin/trends',
  link: '/admin/trends/links',
  status: '/admin/trends/statuses',
} as const;
