import { containersOf, firstElementOf } from './vanished-fields.ts';

/**
 * Fields, and those that show whether they have vanished: the lists and maps that contain them, which are null once
 * they are empty; the first elements of these lists; and what they contain themselves.
 */
export class RelatedFields {
  readonly #exact: ReadonlySet<string>;
  readonly #prefixes: readonly string[];
  /** Names repeat from reading to reading. */
  readonly #known = new Map<string, boolean>();

  constructor(names: Iterable<string>) {
    const own = [...names];
    const firsts = own.flatMap((name) =>
      containersOf(name).flatMap((container) => firstElementOf(container, name) ?? []),
    );
    this.#exact = new Set([...own, ...own.flatMap(containersOf), ...firsts]);
    this.#prefixes = [...own, ...firsts].map((name) => `${name}.`);
  }

  has(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const isRelated =
      this.#exact.has(name) || this.#prefixes.some((prefix) => name.startsWith(prefix));
    this.#known.set(name, isRelated);
    return isRelated;
  }
}
