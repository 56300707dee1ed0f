import { askInfinity } from '../ask-infinity.ts';
import { askPanel, nameOf } from '../ask-panel.ts';
import { chartSvg } from './chart.ts';
import { heatmapSvg } from './heatmap.ts';
import { escaped, fromMarkdown } from './html.ts';
import { statHtml } from './stat.ts';
import { mergedRows, tableHtml } from './table.ts';
import type { PanelResult, PanelContext } from '../ask-panel.ts';
import type { Line } from './chart.ts';
import type { PanelModel } from '../dashboard-model.ts';
import type { RenderedPanel } from './page.ts';
import type { SelectedRow } from '../json-selection.ts';
import type { Span } from '../prometheus.ts';

export interface DrawingOptions extends PanelContext {
  /** Address of the query API. */
  queryApi: string;
  /** Earlier results, by the path of the query, for lists that are empty by now. */
  earlier?: ReadonlyMap<string, EarlierRows>;
}

export interface EarlierRows {
  rows: SelectedRow[];
  /** When these were the rows, in words. */
  when: string;
}

const empty = '<div class="empty">No data</div>';

/** Runs the queries of the panel and draws their results. */
export async function drawPanel(
  model: PanelModel,
  options: DrawingOptions,
): Promise<RenderedPanel> {
  const fill = (text: string): string => options.variables.fill(text);
  const panel = { ...model, title: fill(model.title) };
  if (panel.type === 'row') return { panel, html: '' };
  if (panel.type === 'text') {
    const content = fromMarkdown(panel.options?.content ?? '');
    return { panel, html: `<div class="text">${content}</div>` };
  }
  const { span } = options;
  const [first] = panel.targets ?? [];
  const earlier = options.earlier?.get(first?.url ?? '');
  if (earlier !== undefined) {
    const { html } = drawRows(panel, span, earlier.rows);
    return { panel, html: `<div class="note">${escaped(earlier.when)}</div>${html}` };
  }
  if (first?.url !== undefined) {
    return drawRows(panel, span, await askInfinity(first, { baseUrl: options.queryApi, fill }));
  }
  return drawAnswers(panel, span, await askPanel(panel, options));
}

function drawRows(panel: PanelModel, span: Span, rows: SelectedRow[]): RenderedPanel {
  if (panel.type === 'table') {
    const shown = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellText(value ?? '')])),
    );
    return { panel, html: tableHtml(panel, shown) };
  }
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'time');
  const series = names.map((name) => ({
    name,
    points: rows
      .filter((row) => row[name] !== undefined)
      .map((row) => [Date.parse(String(row['time'])) / 1000, Number(row[name])] as const),
  }));
  return drawLines(panel, { ...span, step: widestStep(rows) }, series);
}

/** Seconds between two rows: Grafana joins the values of adjoining rows, and a row without a value is a gap. */
function widestStep(rows: readonly SelectedRow[]): number {
  const times = rows.map(({ time }) => Date.parse(String(time)) / 1000);
  return Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}

/** Grafana shows timestamps without milliseconds. */
function cellText(value: unknown): string {
  return String(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1 $2');
}

function drawAnswers(
  panel: PanelModel,
  span: Span,
  answers: readonly PanelResult[],
): RenderedPanel {
  const found = answers.flatMap(({ target, series }) =>
    series.map((one) => ({
      name: nameOf(target, one),
      points: one.values.map(([time, value]) => [time, Number(value)] as const),
    })),
  );
  switch (panel.type) {
    case 'stat': {
      const lines = found.map(({ name, points }) => ({
        name,
        values: points.map(([, value]) => value),
      }));
      return { panel, html: statHtml(panel, lines) };
    }
    case 'table':
      return { panel, html: tableHtml(panel, mergedRows(answers)) };
    case 'heatmap':
      return {
        panel,
        html: heatmapSvg(
          panel,
          answers.flatMap(({ series }) => series),
        ),
      };
    case 'timeseries':
      return drawLines(panel, span, found);
    default:
      throw new Error(`not known how to draw a ${panel.type}`);
  }
}

function drawLines(panel: PanelModel, span: Span, lines: readonly Line[]): RenderedPanel {
  return { panel, html: lines.length === 0 ? empty : chartSvg(panel, span, lines) };
}
