import type { ActorContext } from '../actor.ts';
import type { ConditionalWriter } from './conditional-writer.ts';
import type { Home } from './home.ts';

export interface GadgetContext extends ActorContext {
  writer: ConditionalWriter;
  homes: readonly Home[];
}
