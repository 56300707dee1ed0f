import { TokenReader } from './token-reader.ts';
import type { AssignedValue, Path, Update, ValueName } from './syntax.ts';

type Section = 'SET' | 'REMOVE' | 'ADD' | 'DELETE';
type ParsedValue = AssignedValue<ValueName>;

interface Draft {
  set: { path: Path; value: ParsedValue }[];
  remove: Path[];
  add: { path: Path; value: ValueName }[];
  delete: { path: Path; value: ValueName }[];
}

/** Parses an update expression, with at most one section of each kind, in any order. @throws SyntaxError */
export function parseUpdate(text: string): Update<ValueName> {
  const tokens = new TokenReader(text);
  const update: Draft = { set: [], remove: [], add: [], delete: [] };
  const seen = new Set<Section>();
  do {
    const section = sectionOf(tokens);
    if (seen.has(section)) {
      throw new SyntaxError(
        `The "${section}" section can only be used once in an update expression;`,
      );
    }
    seen.add(section);
    parseSection(tokens, section, update);
  } while (tokens.next.kind === 'word');
  tokens.expectEnd();
  return update;
}

function sectionOf(tokens: TokenReader): Section {
  const sections: readonly Section[] = ['SET', 'REMOVE', 'ADD', 'DELETE'];
  const section = sections.find((keyword) => tokens.takeIfKeyword(keyword));
  if (section === undefined) throw tokens.unexpected();
  return section;
}

function parseSection(tokens: TokenReader, section: Section, update: Draft): void {
  const withValue = (list: Draft['add']) =>
    tokens.list(() => {
      tokens.countOperator();
      list.push({ path: tokens.path(), value: parseValueName(tokens) });
    });
  switch (section) {
    case 'SET':
      update.set = tokens.list(() => parseAssignment(tokens));
      break;
    case 'REMOVE':
      update.remove = tokens.list(() => {
        tokens.countOperator();
        return tokens.path();
      });
      break;
    case 'ADD':
      withValue(update.add);
      break;
    case 'DELETE':
      withValue(update.delete);
      break;
  }
}

function parseAssignment(tokens: TokenReader) {
  tokens.countOperator();
  const path = tokens.path();
  tokens.expectSymbol('=');
  return { path, value: parseValue(tokens) };
}

/** An operand, or the sum or difference of two. */
function parseValue(tokens: TokenReader): ParsedValue {
  const left = parseOperand(tokens);
  const sign = tokens.isSymbol('+') ? 1 : tokens.isSymbol('-') ? -1 : undefined;
  if (sign === undefined) return left;
  tokens.countOperator();
  tokens.take();
  return { kind: 'sum', sign, left, right: parseOperand(tokens) };
}

function parseOperand(tokens: TokenReader): ParsedValue {
  if (tokens.next.kind === 'value') return parseValueName(tokens);
  if (tokens.takeIfSymbol('(')) {
    const value = parseValue(tokens);
    tokens.expectSymbol(')');
    return value;
  }
  return tokens.next.kind === 'word' && tokens.afterNext?.text === '('
    ? parseFunction(tokens)
    : { kind: 'path', path: tokens.path() };
}

function parseFunction(tokens: TokenReader): ParsedValue {
  tokens.countOperator();
  const name = tokens.take().text;
  tokens.expectSymbol('(');
  const call = parseCall(tokens, name);
  tokens.expectSymbol(')');
  return call;
}

function parseCall(tokens: TokenReader, name: string): ParsedValue {
  if (name === 'list_append') {
    const left = parseOperand(tokens);
    tokens.expectSymbol(',');
    return { kind: name, left, right: parseOperand(tokens) };
  }
  if (name !== 'if_not_exists') {
    throw new SyntaxError(`Invalid function name; function: ${name}`);
  }
  const path = tokens.path();
  tokens.expectSymbol(',');
  return { kind: name, path, otherwise: parseOperand(tokens) };
}

function parseValueName(tokens: TokenReader): ValueName {
  return { kind: 'name', name: tokens.expectValueName() };
}
