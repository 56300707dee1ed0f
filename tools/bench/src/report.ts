/** One line of a report. */
export interface Finding {
  what: string;
  measured: string;
  baseline: string;
  ratio: string;
  target: string;
  /** Absent without a target: the line explains another one. */
  reached?: boolean;
}

/** The result of a run. */
export interface Findings {
  /** The configuration of the run, to repeat it. */
  how: string;
  findings: Finding[];
  /** Paragraphs of Markdown after the table. */
  more?: readonly string[];
}

/** Prints progress. */
export type Print = (line: string) => void;

const headings = ['measurement', 'measured', 'baseline', 'ratio', 'target', ''];

function cellsOf({ what, measured, baseline, ratio, target, reached }: Finding): string[] {
  const verdict = reached === undefined ? '' : reached ? 'ok' : 'missed';
  return [what, measured, baseline, ratio, target, verdict];
}

/** A Markdown table with aligned columns, readable in a terminal. */
export function renderTable(findings: readonly Finding[]): string {
  return renderRows(headings, findings.map(cellsOf));
}

/** A Markdown table of any columns. */
export function renderRows(
  columns: readonly string[],
  cells: readonly (readonly string[])[],
): string {
  const rows = [columns, ...cells];
  const widths = columns.map((_, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const render = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [render(columns), rule, ...cells.map(render)].join('\n');
}
