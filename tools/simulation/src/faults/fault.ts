import type { Random } from '../kernel/index.ts';
import type { System } from '../world/system.ts';

/** The dependencies of a fault. */
export interface FaultContext {
  system: System;
  random: Random;
  /** Notes what happens, in a sentence, for the story of a failure. */
  tell: (sentence: string) => void;
}

/** A failure, or an operator's action, at a random moment. */
export interface Fault {
  name: string;
  /** Relative frequency. */
  weight: number;
  inject: (context: FaultContext) => void;
}
