import { testExpiryRaces } from './expiry-races.ts';

// The other times are in the long tests: each needs a process of its own.
testExpiryRaces(['a deletion in between', 'its end']);
