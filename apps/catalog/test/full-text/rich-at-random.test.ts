import { testRandomSearches } from './random-searches.ts';

testRandomSearches(12);
