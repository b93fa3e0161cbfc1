import { listEventTypes, listLog, showLogEvent, showTrace } from './endpoints.ts';

export const adminLogQueries = [listLog, listEventTypes, showLogEvent, showTrace];
