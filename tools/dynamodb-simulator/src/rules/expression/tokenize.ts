export interface Token {
  kind: 'word' | 'name' | 'value' | 'number' | 'symbol' | 'end';
  text: string;
}

/** One token after white space: a word, `#name`, `:value`, a position in a list, or a symbol. */
const tokenPattern =
  /[ \t\r\n]*(?:([A-Za-z][A-Za-z\d_]*)|(#[A-Za-z\d_]+)|(:[A-Za-z\d_]+)|(0|[1-9]\d*)|(<>|<=|>=|[=<>(),.[\]+-]))/y;
const kinds = ['word', 'name', 'value', 'number', 'symbol'] as const;

/** @throws SyntaxError at a character that cannot begin a token */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const whole = text.trimEnd();
  for (let position = 0; position < whole.length; position = tokenPattern.lastIndex) {
    tokenPattern.lastIndex = position;
    const groups = tokenPattern.exec(whole);
    if (groups === null) {
      const near = whole.slice(position).trimStart();
      throw new SyntaxError(
        `Syntax error; token: "${near.slice(0, 1)}", near: "${near.slice(0, 8)}"`,
      );
    }
    const kind = kinds.find((_, index) => groups[index + 1] !== undefined) ?? 'symbol';
    tokens.push({ kind, text: groups[kinds.indexOf(kind) + 1] ?? '' });
  }
  tokens.push({ kind: 'end', text: '<EOF>' });
  return tokens;
}
