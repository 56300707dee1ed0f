import type { Random } from '../kernel/index.ts';
import type { System } from '../world/system.ts';

/** The dependencies of a fault. */
export interface FaultContext {
  system: System;
  random: Random;
  /** Adds a sentence to the run's story. */
  narrate: (sentence: string) => void;
}

/** A failure, or an action of an operator, at a random time. */
export interface RandomFault {
  name: string;
  /** Relative frequency. */
  weight: number;
  inject: (context: FaultContext) => void;
}
