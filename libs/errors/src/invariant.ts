/**
 * Something that cannot be, by construction of the code, is the case: a defect of Engawa, never of its input. The
 * message is one sentence that says what should hold (docs/adr/0145-invariants.md).
 */
export class InvariantError extends Error {
  static #thrown = 0;
  override readonly name = 'InvariantError';

  constructor(sentence: string) {
    super(sentence);
    InvariantError.#thrown += 1;
  }

  /** Number of these errors in this process; caught and repeated ones count, too. */
  static get thrown(): number {
    return InvariantError.#thrown;
  }
}

/**
 * The value, where the type does not show that there is one.
 * @param sentence what holds, such as `a block has at least one reading`: a literal, so that it costs nothing
 * @throws InvariantError if the value is undefined or null
 */
export function invariant<Value>(value: Value, sentence: string): NonNullable<Value> {
  if (value === undefined || value === null) throw new InvariantError(sentence);
  return value;
}
