/** The same function of a whole number, which keeps its latest `limit` results. */
export function memoize<Result>(
  limit: number,
  make: (key: number) => Result,
): (key: number) => Result {
  const kept = new Map<number, Result>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    kept.set(key, made);
    const oldest = kept.keys().next();
    if (kept.size > limit && !oldest.done) kept.delete(oldest.value);
    return made;
  };
}
