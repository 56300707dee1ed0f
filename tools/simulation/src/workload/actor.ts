import type { Random, World } from '../kernel/index.ts';
import type { Gateway } from '../world/gateway.ts';
import type { Steps } from './steps.ts';

/** What an actor works with. */
export interface Stage {
  world: World;
  /** Its own: what one actor draws changes nothing for the others. */
  random: Random;
  gateway: Gateway;
  /** What it does, so many things a day. */
  steps: Steps;
  /** The world's wall clock (epoch milliseconds). */
  wallClock: () => number;
  /** Notes what happens, in a sentence, for the story of a failure. */
  tell: (sentence: string) => void;
}

/** Somebody or something that uses the system, with a model of what it was told. */
export interface Actor {
  name: string;
  /**
   * What it does in one busy time of a day, faults or not. It ends by itself.
   *
   * @throws Violation for an answer that must not be
   */
  act: () => Promise<void>;
  /**
   * What it does when nothing has failed for some minutes, and nothing fails meanwhile.
   *
   * @throws Violation also for what takes too long
   */
  actCalmly?: () => Promise<void>;
  /**
   * Compares all there is with its model, once faults have stopped and everything is quiet.
   *
   * @returns what is wrong, in words
   */
  check: () => Promise<string[]>;
}
