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
import type { Limits, PanelOptions, Query } from './panel-parts.ts';

export interface TimeseriesOptions extends PanelOptions {
  unit: string;
  queries: Query[];
  stacked?: boolean;
  /** Drawn as lines. */
  limits?: Limits;
  /** Of the axis, where values are known not to go beyond. */
  max?: number;
  /** Differences may be below zero. */
  signed?: boolean;
  /** So many lines that they are found by a table beside them, the highest first. */
  many?: boolean;
}

/** Lines over time. */
export function timeseries(options: TimeseriesOptions): Panel {
  const { unit, queries, stacked = false, limits, max, signed = false, many = false } = options;
  const panel = linesWithLook(options).unit(unit).datasource(prometheus).targets(targets(queries));
  if (!signed) panel.min(0);
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

/** How all panels with lines look, whatever they are asked of. */
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
  limits?: Limits;
  /** What is shown where there is nothing to count. */
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
  limits?: Limits;
  /** Where a click leads, with Grafana's variables. */
  link?: string;
  /** What is shown in place of a value. */
  texts?: Readonly<Record<string, string>>;
}

export interface TableOptions extends PanelOptions {
  unit: string;
  queries: Query[];
  /** In order; whatever else there is is left out. */
  columns: Column[];
  /** The title of the column whose largest values come first. */
  sortedBy: string;
}

/** What is now, a line each; lines of several queries that agree in their labels become one. */
export function table(options: TableOptions): Panel {
  const { unit, queries, columns, sortedBy } = options;
  const panel = new tables.PanelBuilder()
    .title(options.title)
    .description(options.description)
    .gridPos(place(options))
    .datasource(prometheus)
    .targets(targets(queries, 'table'))
    .unit(unit)
    .sortBy([{ build: () => ({ displayName: sortedBy, desc: true }) }])
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

/** How many of a histogram's observations fell into each of its buckets, over time. */
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
