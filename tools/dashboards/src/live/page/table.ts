import { thresholdColor } from './colors.ts';
import { formatValue } from './format-value.ts';
import { escaped } from './html.ts';
import type { Override, PanelModel, Threshold } from '../dashboard-model.ts';
import type { Answered } from '../ask-panel.ts';

export type Row = Record<string, string | number | null>;

interface Organize {
  indexByName?: Record<string, number>;
  renameByName?: Record<string, string>;
  includeByName?: Record<string, boolean>;
}

/** Lines of several queries that agree in their labels are one, as Grafana's `merge` has it. */
export function mergedRows(answers: readonly Answered[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { target, series } of answers) {
    const value = answers.length > 1 ? `Value #${target.refId}` : 'Value';
    for (const { metric, values } of series) {
      const labels = Object.entries(metric).filter(([label]) => label !== '__name__');
      const key = JSON.stringify(labels.sort());
      const row = rows.get(key) ?? Object.fromEntries(labels);
      row[value] = Number(values.at(-1)?.[1]);
      rows.set(key, row);
    }
  }
  return [...rows.values()];
}

export function tableHtml(panel: PanelModel, rows: readonly Row[]): string {
  const columns = columnsOf(panel, rows);
  const head = columns.map(({ title }) => `<th>${escaped(title)}</th>`).join('');
  const body = sorted(panel, rows, columns).map((row) => {
    const cells = columns.map((column) => cellOf(panel, column.title, row[column.from] ?? null));
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<div class="table"><table><tr>${head}</tr>${body.join('')}</table></div>`;
}

interface Column {
  from: string;
  title: string;
}

function columnsOf(panel: PanelModel, rows: readonly Row[]): Column[] {
  const found = panel.transformations?.find(({ id }) => id === 'organize')?.options as
    Organize | undefined;
  const { indexByName = {}, renameByName = {}, includeByName } = found ?? {};
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const shown =
    includeByName === undefined
      ? names
      : Object.keys(includeByName).filter((name) => includeByName[name]);
  return shown
    .sort((a, b) => (indexByName[a] ?? 0) - (indexByName[b] ?? 0))
    .map((from) => ({ from, title: renameByName[from] ?? from }));
}

function sorted(panel: PanelModel, rows: readonly Row[], columns: readonly Column[]): Row[] {
  const [by] = panel.options?.sortBy ?? [];
  const from = columns.find(({ title }) => title === by?.displayName)?.from;
  if (from === undefined) return [...rows];
  const direction = by?.desc === true ? -1 : 1;
  const compare = (a: Row, b: Row): number => {
    const [left, right] = [a[from] ?? 0, b[from] ?? 0];
    return left < right ? -direction : left > right ? direction : 0;
  };
  return [...rows].sort(compare);
}

function cellOf(panel: PanelModel, title: string, value: string | number | null): string {
  if (typeof value !== 'number') return `<td>${escaped(value ?? '')}</td>`;
  const { unit = 'short', decimals } = panel.fieldConfig?.defaults ?? {};
  const properties = propertiesOf(panel.fieldConfig?.overrides ?? [], title);
  const text = formatValue(value, (properties.get('unit') as string | undefined) ?? unit, decimals);
  const limits = properties.get('thresholds') as { steps: Threshold[] } | undefined;
  const color = limits === undefined ? '' : ` style="color:${thresholdColor(limits.steps, value)}"`;
  return `<td class="number"${color}>${escaped(text)}</td>`;
}

function propertiesOf(overrides: readonly Override[], title: string): Map<string, unknown> {
  const matching = overrides.filter(({ matcher }) => matcher.options === title);
  return new Map(
    matching.flatMap(({ properties }) => properties.map(({ id, value }) => [id, value])),
  );
}
