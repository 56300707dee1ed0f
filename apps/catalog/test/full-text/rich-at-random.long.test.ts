import { scaled } from '@engawa/testing';
import { testRandomSearches } from './random-searches.ts';

testRandomSearches(scaled(50));
