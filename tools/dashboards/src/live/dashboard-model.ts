/** The used part of Grafana's dashboard model. */
export interface DashboardModel {
  title: string;
  panels: PanelModel[];
  templating: { list: VariableModel[] };
}

export interface PanelModel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: TargetModel[];
  fieldConfig?: { defaults: FieldDefaults; overrides?: Override[] };
  options?: PanelLook;
  transformations?: { id: string; options: Record<string, unknown> }[];
}

/** Options of single types of panels. */
export interface PanelLook {
  /** Of a text, as Markdown. */
  content?: string;
  /** Of a heatmap. */
  yAxis?: { unit?: string };
  /** Of a table. */
  sortBy?: { displayName: string; desc?: boolean }[];
  /** Of a time series. */
  legend?: { displayMode?: string; placement?: string };
}

export interface Override {
  matcher: { id: string; options: string };
  properties: { id: string; value: unknown }[];
}

export interface FieldDefaults {
  unit?: string;
  decimals?: number;
  noValue?: string;
  min?: number;
  max?: number;
  thresholds?: { steps: Threshold[] };
  custom?: {
    drawStyle?: string;
    /** Milliseconds of a gap across which points are joined. */
    spanNulls?: number | boolean;
    fillOpacity?: number;
    stacking?: { mode?: string };
    thresholdsStyle?: { mode?: string };
  };
}

export interface Threshold {
  value: number | null;
  color: string;
}

export interface TargetModel {
  refId: string;
  /** Of Prometheus. */
  expr?: string;
  legendFormat?: string;
  instant?: boolean;
  /** Of Infinity. */
  url?: string;
  url_options?: { method?: string; params?: { key: string; value: string }[] };
  pagination_mode?: string;
  pagination_max_pages?: number;
  root_selector?: string;
  columns?: { selector: string; text: string; type: string }[];
}

export interface VariableModel {
  name: string;
  label?: string;
  type: string;
  query?: unknown;
  current?: { value?: string | string[] };
  includeAll?: boolean;
  allValue?: string;
}

/** The model as JSON: the builders' types are too wide here. */
export function readModel(model: unknown): DashboardModel {
  const {
    title,
    panels = [],
    templating,
  } = JSON.parse(JSON.stringify(model)) as Partial<DashboardModel>;
  return { title: title ?? '', panels, templating: templating ?? { list: [] } };
}
