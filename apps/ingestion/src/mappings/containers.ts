type Container = Readonly<Record<string, unknown>>;

/** An object or an array of a payload; numbers with many digits are objects, too, and have no names. */
export function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** Never an inherited value, nor the length of an array; undefined if there is none, which no payload contains. */
export function ownValue(value: unknown, name: string): unknown {
  if (!isContainer(value) || !Object.hasOwn(value, name)) return undefined;
  return name === 'length' && Array.isArray(value) ? undefined : value[name];
}
