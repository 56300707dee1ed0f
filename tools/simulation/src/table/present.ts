/** A value that is known to be there, where its type does not say so. */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('a value that has to be there is missing');
  return value;
}
