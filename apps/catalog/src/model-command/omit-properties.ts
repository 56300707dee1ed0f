/** A copy without some of its properties. */
export function omitProperties<Value extends object, Name extends string>(
  value: Value,
  ...names: Name[]
): Omit<Value, Name> {
  const dropped = new Set<string>(names);
  const kept = Object.entries(value).filter(([name]) => !dropped.has(name));
  return Object.fromEntries(kept) as Omit<Value, Name>;
}
