import { AVOIDED_PHRASES } from './avoided-words.ts';
import { isTypeScript, textsOf } from './texts.ts';

/** Characters of a line of prose. */
const MAX_COLUMNS = 120;

export interface ProseFinding {
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong and what to write instead. */
  readonly message: string;
}

/** Words of a phrase may be separated by a line break with a comment's or a quotation's marks. */
const SEPARATOR = '[\\s*/#>]+';

const PATTERNS = AVOIDED_PHRASES.map(({ phrase, instead }) => ({
  instead,
  pattern: new RegExp(`(?<![\\w-])${phrase.replaceAll(' ', SEPARATOR)}(?![\\w-])`, 'gi'),
}));

/** The avoided phrases and the lines of prose over 120 columns of a Markdown, TypeScript, YAML or template file. */
export function checkProse(path: string, content: string): readonly ProseFinding[] {
  const phrases = textsOf(path, content).flatMap(({ offset, text }) =>
    PATTERNS.flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map((match) => ({
        line: content.slice(0, offset + match.index).split('\n').length,
        message: `"${match[0].replace(/\s+/g, ' ')}": write ${instead}`,
      })),
    ),
  );
  return [...phrases, ...longLines(path, content)].sort((a, b) => a.line - b.line);
}

function longLines(path: string, content: string): readonly ProseFinding[] {
  let inCode = false;
  return content.split('\n').flatMap((line, index) => {
    if (path.endsWith('.md') && line.startsWith('```')) inCode = !inCode;
    if (line.length <= MAX_COLUMNS || inCode || !isProse(path, line)) return [];
    return [{ line: index + 1, message: `${line.length} columns: at most ${MAX_COLUMNS}` }];
  });
}

/** Lines that can be wrapped: no table, no heading, no link, no code. */
function isProse(path: string, line: string): boolean {
  if (path.endsWith('.md')) return !/^\s*(\||#|\[|<|!)/.test(line);
  const comment = isTypeScript(path) ? /^\s*(\/?\*|\/\/)/ : /^\s*#/;
  return comment.test(line) && !/https?:\/\/\S+$/.test(line);
}
