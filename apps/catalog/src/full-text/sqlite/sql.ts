type Parameter = string | number;

/** A piece of SQL with its parameters. */
export interface Sql {
  text: string;
  parameters: readonly Parameter[];
}

/**
 * Template tag for SQL: an Sql piece is inserted, a value becomes a placeholder, and a list one placeholder per value.
 * So data is never part of the text.
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

/** Trusted SQL text, never user data. */
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
