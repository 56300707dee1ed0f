import { killTimes, testExpiryRaces } from './expiry-races.ts';

testExpiryRaces(killTimes);
