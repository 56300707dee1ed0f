import { testRandomSearches } from './search-at-random.ts';

testRandomSearches(15);
