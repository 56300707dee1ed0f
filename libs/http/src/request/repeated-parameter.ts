import { z } from 'zod';

/**
 * A query parameter that may be given up to `maximum` times, as in `?device=a&device=b`; parsed to
 * the array of its values.
 */
export function repeatedParameter<Schema extends z.ZodType>(
  schema: Schema,
  { maximum }: { maximum: number },
) {
  return z.array(schema).min(1).max(maximum);
}

/** Whether this parameter may be repeated. */
export function mayRepeat(query: z.ZodObject, name: string): boolean {
  const shape: Record<string, z.core.$ZodType | undefined> = query.shape;
  return takesList(shape[name]);
}

/** Only a repeated parameter is an array before it is transformed. */
function takesList(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.core.$ZodArray) return true;
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodPrefault ||
    schema instanceof z.core.$ZodNonOptional
  ) {
    return takesList(schema._zod.def.innerType);
  }
  return schema instanceof z.core.$ZodPipe && takesList(schema._zod.def.in);
}
