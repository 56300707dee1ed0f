/** Whether a name in limits or faults, a prefix if it ends with `*`, names the key. */
export function isNamed(name: string, key: string): boolean {
  return name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : key === name;
}
