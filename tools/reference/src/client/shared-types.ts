import type { TypeSource } from './operation-source.ts';

/**
 * The types of more than one service, by name.
 * @throws Error for different types of one name: a shared type that refers to it could mean either
 */
export function sharedTypes(types: readonly TypeSource[]): Map<string, string> {
  const shared = new Map<string, string>();
  for (const [name, [first, ...others]] of Map.groupBy(types, (type) => type.name)) {
    if (first === undefined || others.length === 0) continue;
    if (others.some(({ source }) => source !== first.source)) {
      throw new Error(`services have different types called ${name}: rename all but one of them`);
    }
    shared.set(name, first.source);
  }
  return shared;
}
