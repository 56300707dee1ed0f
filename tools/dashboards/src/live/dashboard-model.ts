/** The used part of Grafana's dashboard model. */
export interface DashboardModel {
  title: string;
  panels: PanelModel[];
  templating: { list: VariableModel[] };
}

interface PanelModel {
  type: string;
  title: string;
  targets?: TargetModel[];
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
