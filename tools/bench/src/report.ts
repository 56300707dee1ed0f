/** A line of what a run found. */
export interface Finding {
  what: string;
  measured: string;
  floor: string;
  ratio: string;
  reach: string;
  /** Absent where there is nothing to reach: the line explains another. */
  reached?: boolean;
}

/** What a run found, and how. */
export interface Findings {
  /** For whoever wants to do it again. */
  how: string;
  findings: Finding[];
  /** What the table has no room for: paragraphs of Markdown. */
  more?: readonly string[];
}

/** Says how far it is. */
export type Print = (line: string) => void;

const headings = ['what', 'measured', 'floor', 'ratio', 'reach', ''];

function cellsOf({ what, measured, floor, ratio, reach, reached }: Finding): string[] {
  const verdict = reached === undefined ? '' : reached ? 'ok' : 'missed';
  return [what, measured, floor, ratio, reach, verdict];
}

/** A table in Markdown, its columns aligned so that a terminal shows it as well. */
export function renderTable(findings: readonly Finding[]): string {
  const rows = [headings, ...findings.map(cellsOf)];
  const widths = headings.map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const render = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [render(headings), rule, ...rows.slice(1).map(render)].join('\n');
}
