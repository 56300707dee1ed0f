import { total } from './cost.ts';
import type { Cost, Counts } from './cost.ts';
import type { Comparison, Pattern } from './pattern.ts';

/** The test writes the section between these lines of the document. */
const begin = '<!-- measured: tools/system-tests/test/costs -->';
const end = '<!-- end of measured -->';

const header = [
  'access pattern',
  'implementation',
  'requests allowed',
  'measured',
  'read units',
  'write units',
];

/** @throws Error when the document lacks the section */
export function sectionIn(document: string): string {
  const [start, stop] = [document.indexOf(begin), document.indexOf(end)];
  if (start === -1 || stop < start) throw new Error(`no lines "${begin}" and "${end}"`);
  return document.slice(start + begin.length, stop);
}

/** The document with a table for each group of patterns, and for each comparison. */
export function withSection(
  document: string,
  groups: Readonly<Record<string, readonly Pattern[] | Comparison>>,
  costs: ReadonlyMap<Pattern, Cost | undefined>,
): string {
  const tables = Object.entries(groups).map(([title, group]) => {
    const [head, ...rows] =
      'rows' in group
        ? comparedRows(group, costs)
        : [header, ...group.map((pattern) => cellsOf(pattern, costs.get(pattern)))];
    const lines = [head ?? [], (head ?? []).map(() => '---'), ...rows];
    return `### ${title}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}`;
  });
  const section = `\n\n${tables.join('\n')}\n`;
  return document.replace(`${begin}${sectionIn(document)}`, () => `${begin}${section}`);
}

function cellsOf({ ask, how, requests }: Pattern, cost: Cost | undefined): string[] {
  const { requests: made = {}, read = {}, written = {} } = cost ?? {};
  return [ask, how, requests, listed(made), listed(read), listed(written)];
}

function comparedRows(
  { columns, rows }: Comparison,
  costs: ReadonlyMap<Pattern, Cost | undefined>,
): string[][] {
  const shown = rows.map(({ ask, patterns }) => [
    ask,
    ...patterns.map((pattern) => totalOf(costs.get(pattern))),
  ]);
  return [['access pattern', ...columns], ...shown];
}

/** For example `2 Query: 1.5 read, 3 written`. */
function totalOf(cost: Cost | undefined): string {
  const { requests = {}, read = {}, written = {} } = cost ?? {};
  const units = [
    ...(total(read) > 0 ? [`${total(read)} read`] : []),
    ...(total(written) > 0 ? [`${total(written)} written`] : []),
  ];
  return `${listed(requests)}: ${units.join(', ')}`;
}

/** For example `1 GetItem, 2 Query`. */
function listed(counts: Counts): string {
  const rows = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return rows.length === 0 ? '–' : rows.join(', ');
}
