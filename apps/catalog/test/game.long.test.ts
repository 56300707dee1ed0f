import { testScoreUpdates } from './score-updates.ts';

describe('a game with 1,000 players', () => testScoreUpdates(1000));
