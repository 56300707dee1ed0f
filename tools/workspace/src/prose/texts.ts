import ts from 'typescript';

/** A piece of prose in a file. */
export interface Text {
  /** Offset of the text's first character in the file. */
  readonly offset: number;
  readonly text: string;
}

export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

/** The prose of a file: a Markdown file outside of code, and of sources the comments and the strings of several words. */
export function textsOf(path: string, content: string): readonly Text[] {
  if (path.endsWith('.md')) return markdownTexts(content);
  if (isTypeScript(path)) return typescriptTexts(path, content);
  return [...content.matchAll(/#.*/g)].map((match) => ({ offset: match.index, text: match[0] }));
}

/** The content with code replaced by spaces, which keeps offsets. */
function markdownTexts(content: string): readonly Text[] {
  const blank = (code: string): string => code.replace(/[^\n]/g, ' ');
  const text = content
    .replace(/^```[\s\S]*?^```/gm, blank)
    .replace(/`[^`\n]*`/g, blank)
    .replace(/\]\([^)]*\)/g, blank);
  return [{ offset: 0, text }];
}

function typescriptTexts(path: string, content: string): readonly Text[] {
  const texts: Text[] = [];
  const seen = new Set<number>();
  const comments = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const run of joinAdjacent(content, ranges ?? [])) {
      if (!seen.has(run.pos))
        texts.push({ offset: run.pos, text: content.slice(run.pos, run.end) });
      seen.add(run.pos);
    }
  };
  const visit = (node: ts.Node): void => {
    if (isTextLiteral(node)) {
      const text = node.getText();
      if (/\w \w/.test(text)) texts.push({ offset: node.getStart(), text });
    }
    if (node.getChildCount() === 0) {
      comments(ts.getLeadingCommentRanges(content, node.getFullStart()));
      comments(ts.getTrailingCommentRanges(content, node.getEnd()));
    }
    node.getChildren().forEach(visit);
  };
  visit(ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true));
  return texts;
}

/** Comments with only white space between them are one text. */
function joinAdjacent(content: string, ranges: readonly ts.TextRange[]): readonly ts.TextRange[] {
  const runs: ts.TextRange[] = [];
  for (const range of ranges) {
    const last = runs.at(-1);
    if (last && content.slice(last.end, range.pos).trim() === '')
      runs[runs.length - 1] = { pos: last.pos, end: range.end };
    else runs.push(range);
  }
  return runs;
}

function isTextLiteral(node: ts.Node): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  );
}
