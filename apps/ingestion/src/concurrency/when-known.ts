/**
 * Continues with a value that may still be a promise. Unlike `await`, it continues at once if the value is no promise.
 * @param failed called with the error of the promise, and with errors of `next`
 */
export function whenKnown<Value>(
  value: Value | Promise<Value>,
  next: (value: Value) => void,
  failed: (error: unknown) => void,
): void {
  if (value instanceof Promise) {
    value.then(next).catch(failed);
    return;
  }
  try {
    next(value);
  } catch (error) {
    failed(error);
  }
}
