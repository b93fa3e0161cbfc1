import { retrieveRetention } from './retrieve.ts';

export const adminRetentionQueries = [retrieveRetention];
