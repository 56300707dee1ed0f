/** A token of JSON: a text, a structural character, or anything else without spaces. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Indents JSON. Unlike `JSON.stringify(JSON.parse(text))`, it keeps every number and text as it is written.
 * @throws SyntaxError where the text is not JSON
 */
export function indentJson(text: string): string {
  JSON.parse(text);
  let output = '';
  let depth = 0;
  let previous = '';
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [part] of text.matchAll(token)) {
    const isEnd = part === '}' || part === ']';
    if (isEnd) {
      depth -= 1;
      output += previous === '{' || previous === '[' ? part : line() + part;
    } else {
      output += previous === '{' || previous === '[' || previous === ',' ? line() + part : part;
    }
    if (part === '{' || part === '[') depth += 1;
    if (part === ':') output += ' ';
    previous = part;
  }
  return output;
}
