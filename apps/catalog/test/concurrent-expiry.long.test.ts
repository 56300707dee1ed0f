import { testConcurrentExpiry } from './concurrent-expiry.ts';

// More sessions than one pass deletes (500).
testConcurrentExpiry(600);
