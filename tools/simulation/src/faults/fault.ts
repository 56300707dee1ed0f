import type { Random } from '../kernel/index.ts';
import type { System } from '../world/system.ts';

/** What a fault works with. */
export interface FaultContext {
  system: System;
  random: Random;
  /** Notes what happens, in a sentence, for the story of a failure. */
  tell: (sentence: string) => void;
}

/** Something that goes wrong, or that operators do, at a moment that nobody has chosen. */
export interface Fault {
  name: string;
  /** How often it is chosen, among all. */
  weight: number;
  inject: (context: FaultContext) => void;
}
