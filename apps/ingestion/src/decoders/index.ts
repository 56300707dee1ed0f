import { native } from './native.ts';
import type { Decoder } from './decoder.ts';

/** Every decoder there is. To add one: a file like `native.ts`, and a line here. */
export const decoders: readonly Decoder[] = [native];
