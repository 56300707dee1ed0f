import type { Random, World } from '../kernel/index.ts';
import type { Gateway } from '../world/gateway.ts';
import type { Steps } from './steps.ts';

/** The dependencies of an actor. */
export interface ActorContext {
  world: World;
  /** The actor's own generator: its draws do not change the numbers of other actors. */
  random: Random;
  gateway: Gateway;
  /** Its steps, a limited number per day. */
  steps: Steps;
  /** The world's wall clock (epoch milliseconds). */
  wallClock: () => number;
  /** Records an event, in a sentence, for the report of a failure. */
  tell: (sentence: string) => void;
}

/** A user or device of the system, with a model of the state that its acknowledged requests imply. */
export interface Actor {
  name: string;
  /**
   * Its actions of one day, with or without faults.
   *
   * @throws Violation for a response that is wrong
   */
  act: () => Promise<void>;
  /**
   * Its actions in a time without faults, which begins some minutes after the last fault.
   *
   * @throws Violation also for an action that takes too long
   */
  actCalmly?: () => Promise<void>;
  /**
   * Compares the system's state with its model, once faults have stopped and all work is done.
   *
   * @returns the differences, a sentence each
   */
  check: () => Promise<string[]>;
}
