import { scaled } from '@engawa/testing';
import { testRandomSearches } from './search-at-random.ts';

testRandomSearches(scaled(40));
