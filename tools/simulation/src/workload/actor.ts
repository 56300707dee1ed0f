import type { Random, World } from '../kernel/index.ts';
import type { Gateway } from '../world/gateway.ts';
import type { ActorSteps } from './steps.ts';

/** The dependencies of an actor. */
export interface ActorContext {
  world: World;
  /** The actor's own generator: its draws do not change the numbers of other actors. */
  random: Random;
  gateway: Gateway;
  /** The actor's steps, a limited number per day. */
  steps: ActorSteps;
  /** The world's wall clock (epoch milliseconds). */
  wallClock: () => number;
  /** Records an event, in a sentence, for the report of a failure. */
  narrate: (sentence: string) => void;
}

/** A user or device of the system, with a model of the state that its acknowledged requests imply. */
export interface Actor {
  name: string;
  /**
   * Performs the actions of one day, with or without faults.
   *
   * @throws Violation for a wrong response
   */
  act: () => Promise<void>;
  /**
   * Performs actions in a period without faults, which begins some minutes after the last fault.
   *
   * @throws Violation for a wrong response, or an action that takes too long
   */
  actCalmly?: () => Promise<void>;
  /**
   * Compares the system's state with the actor's model, after faults have stopped and all work has completed.
   *
   * @returns the differences, a sentence each
   */
  check: () => Promise<string[]>;
}
