import {
  AxisPlacement,
  BigValueGraphMode,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  ScaleDistribution,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import * as heatmaps from '@grafana/grafana-foundation-sdk/heatmap';
import * as stats from '@grafana/grafana-foundation-sdk/stat';
import * as tables from '@grafana/grafana-foundation-sdk/table';
import * as texts from '@grafana/grafana-foundation-sdk/text';
import * as lines from '@grafana/grafana-foundation-sdk/timeseries';
import {
  colorByName,
  colorByThresholds,
  place,
  prometheus,
  targets,
  thresholds,
} from './panel-parts.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { ThresholdOptions, PanelOptions, Query } from './panel-parts.ts';

export interface TimeseriesOptions extends PanelOptions {
  unit: string;
  queries: Query[];
  stacked?: boolean;
  /** Drawn as lines. */
  limits?: ThresholdOptions;
  /** Upper end of the axis, for values with a known maximum. */
  max?: number;
  /** Differences may be below zero. */
  signed?: boolean;
  /**
   * Joins points across gaps of up to a minute: processes report only their hottest keys, so a key
   * may be left out for a while.
   */
  sparse?: boolean;
  /** Legend as a table on the right, the highest series first. */
  many?: boolean;
}

const maxGapMs = 60_000;

/** Lines over time. */
export function timeseries(options: TimeseriesOptions): Panel {
  const { unit, queries, stacked = false, limits, max } = options;
  const { signed = false, many = false, sparse = false } = options;
  const panel = linesWithLook(options).unit(unit).datasource(prometheus).targets(targets(queries));
  if (!signed) panel.min(0);
  if (sparse) panel.spanNulls(maxGapMs);
  if (many) panel.fillOpacity(0).legend(tableOfLines());
  if (max !== undefined) panel.max(max);
  if (stacked) {
    panel.fillOpacity(40).stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
  }
  if (limits) {
    panel
      .thresholds(thresholds(limits))
      .thresholdsStyle(
        new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed),
      );
  }
  return panel.build();
}

/** The look of all panels with lines, for any data source. */
export function linesWithLook(options: PanelOptions): lines.PanelBuilder {
  return new lines.PanelBuilder()
    .title(options.title)
    .description(options.description)
    .gridPos(place(options))
    .lineWidth(1)
    .fillOpacity(8)
    .showPoints(VisibilityMode.Never)
    .axisPlacement(AxisPlacement.Left)
    .colorScheme(colorByName)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(
      new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending),
    );
}

function tableOfLines(): VizLegendOptionsBuilder {
  return new VizLegendOptionsBuilder()
    .displayMode(LegendDisplayMode.Table)
    .placement(LegendPlacement.Right)
    .showLegend(true)
    .calcs(['max'])
    .sortBy('Max')
    .sortDesc(true);
}

export interface StatOptions extends PanelOptions {
  unit: string;
  queries: Query[];
  limits?: ThresholdOptions;
  /** Text for a query without a result. */
  none?: string;
  decimals?: number;
}

/** The last value, large. */
export function stat(options: StatOptions): Panel {
  const { unit, queries, limits = {}, none, decimals } = options;
  const panel = new stats.PanelBuilder()
    .title(options.title)
    .description(options.description)
    .gridPos(place({ width: 4, height: 4, ...options }))
    .datasource(prometheus)
    .targets(targets(queries))
    .unit(unit)
    .colorScheme(colorByThresholds)
    .thresholds(thresholds(limits))
    .graphMode(BigValueGraphMode.Area)
    .reduceOptions(new ReduceDataOptionsBuilder().values(false).calcs(['lastNotNull']).fields(''));
  if (none !== undefined) panel.noValue(none);
  if (decimals !== undefined) panel.decimals(decimals);
  return panel.build();
}

export interface Column {
  /** A label; a value is called `Value`, or `Value #A` where there are several queries. */
  from: string;
  title: string;
  unit?: string;
  limits?: ThresholdOptions;
  /** Link of a cell, with Grafana's variables. */
  link?: string;
  /** Texts that replace values. */
  texts?: Readonly<Record<string, string>>;
}

export interface TableOptions extends PanelOptions {
  unit: string;
  queries: Query[];
  /** In order; other columns are hidden. */
  columns: Column[];
  /** Columns by their titles, the first one first. */
  sortedBy: readonly { title: string; descending: boolean }[];
}

/** A table of the current values; rows of several queries with equal labels are merged. */
export function table(options: TableOptions): Panel {
  const { unit, queries, columns, sortedBy } = options;
  const panel = new tables.PanelBuilder()
    .title(options.title)
    .description(options.description)
    .gridPos(place(options))
    .datasource(prometheus)
    .targets(targets(queries, 'table'))
    .unit(unit)
    .sortBy(
      sortedBy.map(({ title, descending }) => ({
        build: () => ({ displayName: title, desc: descending }),
      })),
    )
    .withTransformation({ id: 'merge', options: {} })
    .withTransformation({
      id: 'organize',
      options: {
        indexByName: Object.fromEntries(columns.map(({ from }, index) => [from, index])),
        renameByName: Object.fromEntries(columns.map(({ from, title }) => [from, title])),
        includeByName: Object.fromEntries(columns.map(({ from }) => [from, true])),
      },
    });
  for (const column of columns) {
    const properties = columnProperties(column);
    if (properties.length > 0) panel.overrideByName(column.title, properties);
  }
  return panel.build();
}

function columnProperties({ unit, limits, link, texts }: Column): { id: string; value: unknown }[] {
  const properties: { id: string; value: unknown }[] = [];
  if (unit !== undefined) properties.push({ id: 'unit', value: unit });
  if (limits !== undefined) {
    properties.push(
      { id: 'thresholds', value: thresholds(limits).build() },
      { id: 'custom.cellOptions', value: { type: 'color-text' } },
    );
  }
  if (link !== undefined) {
    properties.push({ id: 'links', value: [{ title: 'Runbook', url: link, targetBlank: true }] });
  }
  if (texts !== undefined) {
    const options = Object.fromEntries(
      Object.entries(texts).map(([value, shown], index) => [value, { text: shown, index }]),
    );
    properties.push({ id: 'mappings', value: [{ type: 'value', options }] });
  }
  return properties;
}

/** A histogram's observations a second, by bucket, over time. */
export function heatmap(options: PanelOptions & { unit: string; expr: string }): Panel {
  const { unit, expr } = options;
  return new heatmaps.PanelBuilder()
    .title(options.title)
    .description(options.description)
    .gridPos(place(options))
    .datasource(prometheus)
    .targets(targets([{ expr, legend: '{{le}}' }], 'heatmap'))
    .unit('reqps')
    .yAxis(new heatmaps.YAxisConfigBuilder().unit(unit).axisPlacement(AxisPlacement.Left))
    .scaleDistribution({ build: () => ({ type: ScaleDistribution.Linear }) })
    .color(
      new heatmaps.HeatmapColorOptionsBuilder()
        .mode(heatmaps.HeatmapColorMode.Scheme)
        .scheme('Oranges')
        .steps(64),
    )
    .build();
}

/** Words, as Markdown. */
export function text(options: PanelOptions & { content: string }): Panel {
  return new texts.PanelBuilder()
    .title(options.title)
    .description(options.description)
    .gridPos(place(options))
    .mode(texts.TextMode.Markdown)
    .content(options.content)
    .build();
}
