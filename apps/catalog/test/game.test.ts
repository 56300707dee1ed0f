import { testScoreUpdates } from './score-updates.ts';

describe('a game with 200 players', () => testScoreUpdates(200));
