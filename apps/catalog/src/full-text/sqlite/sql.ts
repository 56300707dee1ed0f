type Parameter = string | number;

/** A piece of SQL, and what its question marks stand for. */
export interface Sql {
  text: string;
  parameters: readonly Parameter[];
}

/**
 * SQL of a template: a piece of SQL is put in as it is, a value becomes a question mark, and a list of values one for
 * each. So what is data is never part of the text.
 */
export function sql(
  texts: TemplateStringsArray,
  ...pieces: readonly (Sql | Parameter | readonly string[])[]
): Sql {
  const parts = pieces.map(partOf);
  return {
    text: texts.map((text, index) => text + (parts[index]?.text ?? '')).join(''),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/** Of our own, never of data. */
export function raw(text: string): Sql {
  return { text, parameters: [] };
}

export function joined(pieces: readonly Sql[], separator: string): Sql {
  return {
    text: pieces.map(({ text }) => text).join(separator),
    parameters: pieces.flatMap(({ parameters }) => parameters),
  };
}

function partOf(piece: Sql | Parameter | readonly string[]): Sql {
  if (typeof piece !== 'object') return { text: '?', parameters: [piece] };
  if ('text' in piece) return piece;
  return { text: piece.map(() => '?').join(', '), parameters: piece };
}
