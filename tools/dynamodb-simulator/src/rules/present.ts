/** Asserts that a value is defined. @throws TypeError */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('a required value is missing');
  return value;
}
