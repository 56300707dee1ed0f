/** A piece of PromQL. */
export interface Token {
  kind: 'name' | 'text' | 'number' | 'range' | 'sign';
  text: string;
}

/**
 * The tokens of an expression. Variables of Grafana outside of texts are numbers, and ranges are opaque: neither has to do
 * with labels.
 * @throws Error where it is none
 */
export function tokensOf(expression: string): Token[] {
  const pieces = new RegExp(
    [
      /(?<space>\s+)/,
      /(?<text>"(?:[^"\\]|\\.)*")/,
      /(?<range>\[[^\][]*\])/,
      /(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:[smhdwy])?|\$\w+)/,
      /(?<name>[A-Za-z_:][\w:]*)/,
      /(?<sign>=~|!~|!=|==|<=|>=|[-+*/%^<>=(){},@])/,
    ]
      .map(({ source }) => source)
      .join('|'),
    'y',
  );
  const tokens: Token[] = [];
  while (pieces.lastIndex < expression.length) {
    const at = pieces.lastIndex;
    const groups = pieces.exec(expression)?.groups as
      Record<string, string | undefined> | undefined;
    if (groups === undefined) throw new Error(`not PromQL at “${expression.slice(at, at + 20)}”`);
    const [kind, text] = Object.entries(groups).find(([, its]) => its !== undefined) ?? [];
    if (kind !== 'space') tokens.push({ kind, text } as Token);
  }
  return tokens;
}
