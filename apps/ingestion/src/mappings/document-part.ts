/** What is wrong with a part of a document, with the names and indexes that lead to it. */
export class InvalidPart extends RangeError {
  readonly path: readonly PropertyKey[];

  constructor(path: readonly PropertyKey[], message: string) {
    super(message);
    this.path = path;
  }
}

/** Builds something from a part of a document. @throws InvalidPart with its place, instead of a RangeError */
export function inPart<Built>(path: readonly PropertyKey[], build: () => Built): Built {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const inner = error instanceof InvalidPart ? error.path : [];
    throw new InvalidPart([...path, ...inner], error.message);
  }
}
