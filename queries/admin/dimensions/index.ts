import { retrieveDimensions } from './retrieve.ts';

export const adminDimensionQueries = [retrieveDimensions];
