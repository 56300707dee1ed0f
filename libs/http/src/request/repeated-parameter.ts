import { z } from 'zod';

/** A parameter of a query that may be given up to `maximum` times, as in `?device=a&device=b`: the list of its values. */
export function repeatedParameter<Schema extends z.ZodType>(
  schema: Schema,
  { maximum }: { maximum: number },
) {
  return z.array(schema).min(1).max(maximum);
}

/** Whether the parameter of this name is such a one. */
export function mayRepeat(query: z.ZodObject, name: string): boolean {
  const shape: Record<string, z.core.$ZodType | undefined> = query.shape;
  return takesList(shape[name]);
}

/** Only a parameter that may be given more than once is a list as it comes. */
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
