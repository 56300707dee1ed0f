import { z } from 'zod';

/** Characters of a name, and of a prefix of names. */
export const maxNameLength = 256;

/** The name of a device, a place or a room, as it was written: lists and searches compare its collated form. */
export const displayName = z
  .string()
  .refine((name) => name.isWellFormed(), 'must not have half of a surrogate pair')
  .min(1)
  .max(maxNameLength)
  .regex(/^\P{Cc}*$/u, 'must not have control characters')
  .regex(/\S/u, 'must not be only white space');
