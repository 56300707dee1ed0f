import { playRandomOperations } from './play-random-operations.ts';

// random-operations.long.test.ts plays more.
it('equals the model after random operations on two replicas', () => playRandomOperations(1, 240));
