/**
 * Continues with a value that may still be a promise. Unlike `await`, it continues at once if the value is no promise,
 * and no suspended function holds the value afterwards: thousands of messages may be between two steps.
 */
export function andThen<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Promise<Result>,
): Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
