import { thresholdColor } from './colors.ts';
import { formatDuration, formatValue } from './format-value.ts';
import { escaped } from './html.ts';
import type { Override, PanelModel, Threshold } from '../dashboard-model.ts';
import type { PanelResult } from '../ask-panel.ts';

export type TableRow = Record<string, string | number | null>;

interface Organize {
  indexByName?: Record<string, number>;
  renameByName?: Record<string, string>;
  includeByName?: Record<string, boolean>;
}

/** Merges rows of several queries with equal labels, as Grafana's `merge` does. */
export function mergedRows(answers: readonly PanelResult[]): TableRow[] {
  const rows = new Map<string, TableRow>();
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

export function tableHtml(panel: PanelModel, rows: readonly TableRow[]): string {
  const columns = columnsOf(panel, rows);
  const head = columns.map(({ title }) => `<th${styleOf(panel, title)}>${escaped(title)}</th>`);
  const body = sorted(panel, rows, columns).map((row) => {
    const cells = columns.map((column) => cellOf(panel, column.title, row[column.from] ?? null));
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<div class="table"><table><tr>${head.join('')}</tr>${body.join('')}</table></div>`;
}

interface Column {
  from: string;
  title: string;
}

function columnsOf(panel: PanelModel, rows: readonly TableRow[]): Column[] {
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

function sorted(
  panel: PanelModel,
  rows: readonly TableRow[],
  columns: readonly Column[],
): TableRow[] {
  const keys = (panel.options?.sortBy ?? []).flatMap(({ displayName, desc = false }) => {
    const from = columns.find(({ title }) => title === displayName)?.from;
    return from === undefined ? [] : [{ from, direction: desc ? -1 : 1 }];
  });
  return [...rows].sort((a, b) => {
    for (const { from, direction } of keys) {
      const [left, right] = [a[from] ?? 0, b[from] ?? 0];
      if (left !== right) return left < right ? -direction : direction;
    }
    return 0;
  });
}

function cellOf(panel: PanelModel, title: string, value: string | number | null): string {
  const properties = propertiesOf(panel.fieldConfig?.overrides ?? [], title);
  if (typeof value !== 'number') {
    const shown = mappedText(properties, value ?? '');
    return `<td${styleOf(panel, title)}>${escaped(shown)}</td>`;
  }
  const { unit: usual = 'short', decimals } = panel.fieldConfig?.defaults ?? {};
  const unit = (properties.get('unit') as string | undefined) ?? usual;
  const text = unit === 'dtdurations' ? formatDuration(value) : formatValue(value, unit, decimals);
  const limits = properties.get('thresholds') as { steps: Threshold[] } | undefined;
  const color = limits === undefined ? '' : ` style="color:${thresholdColor(limits.steps, value)}"`;
  return `<td class="number"${color}>${escaped(text)}</td>`;
}

/** @returns the text that a value mapping of the column has for the value, or the value */
function mappedText(properties: ReadonlyMap<string, unknown>, value: string): string {
  const mappings = (properties.get('mappings') ?? []) as ValueMapping[];
  const found = mappings.find(({ options }) => Object.hasOwn(options, value));
  return found?.options[value]?.text ?? value;
}

interface ValueMapping {
  options: Readonly<Record<string, { text: string }>>;
}

/** Width and wrapping of a column, where the panel sets them. */
function styleOf(panel: PanelModel, title: string): string {
  const properties = propertiesOf(panel.fieldConfig?.overrides ?? [], title);
  const cells = properties.get('custom.cellOptions') as { wrapText?: boolean } | undefined;
  if (cells?.wrapText !== true) return '';
  return ` style="white-space:normal;min-width:${String(properties.get('custom.width'))}px"`;
}

function propertiesOf(overrides: readonly Override[], title: string): Map<string, unknown> {
  const matching = overrides.filter(({ matcher }) => matcher.options === title);
  return new Map(
    matching.flatMap(({ properties }) => properties.map(({ id, value }) => [id, value])),
  );
}
