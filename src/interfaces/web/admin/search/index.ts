import { searchPage } from './search-page.ts';

export const searchPages = [searchPage];
