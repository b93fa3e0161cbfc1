import { listLog, showLogEvent, showTrace } from './endpoints.ts';

export const adminLogQueries = [listLog, showLogEvent, showTrace];
