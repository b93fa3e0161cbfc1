import { showHealth } from './endpoints.ts';

export const adminHealthQueries = [showHealth];
