/** A value that a page showed. */
export interface Shown {
  count: number;
  /** Epoch milliseconds of the frame. */
  time: number;
}

/**
 * Milliseconds from publishing each value to the frame that shows it, or a later value.
 * @param published epoch milliseconds by value, from 1 on
 * @throws Error for a value that was never shown, nor a later one
 */
export function shownTimes(published: readonly number[], shown: readonly Shown[]): number[] {
  const times: number[] = [];
  let next = 0;
  for (let count = 1; count < published.length; count++) {
    while ((shown[next]?.count ?? Infinity) < count) next += 1;
    const frame = shown[next];
    if (frame === undefined) throw new Error(`the value ${count} was never shown`);
    times.push(frame.time - (published[count] ?? NaN));
  }
  return times;
}
