import { TokenReader } from './token-reader.ts';
import type { Path } from './syntax.ts';

/** @throws SyntaxError */
export function parseProjection(text: string): readonly Path[] {
  const tokens = new TokenReader(text);
  const paths = tokens.list(() => tokens.path());
  tokens.expectEnd();
  return paths;
}
