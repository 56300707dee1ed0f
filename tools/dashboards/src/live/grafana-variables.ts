import { askInfinity } from './ask-infinity.ts';
import type { Prometheus, Span } from './prometheus.ts';
import type { TargetModel, VariableModel } from './dashboard-model.ts';

export interface FilledOptions {
  /** Absent for a dashboard without variables of Prometheus. */
  prometheus?: Prometheus;
  /** Address of the query API. */
  queryApi: string;
  /** The time range. */
  span: Span;
  /** `$__rate_interval` in seconds: at least four scrapes, as in Grafana. */
  rateSeconds: number;
  /** The time zone of the dashboard, as Grafana names it; `utc` by default. */
  timeZone?: string;
  /** Chosen values, by variable. */
  chosen?: Readonly<Record<string, string>>;
}

const labelValues = /^label_values\((?:(?<match>.+),\s*)?(?<label>\w+)\)$/;
const used = /\$\{(?<braced>\w+)(?::(?<format>[\w:]+))?\}|\$(?<plain>\w+)/g;

/** The variables of a dashboard with their values, as Grafana fills them when it is opened. */
export class FilledVariables {
  readonly #options: FilledOptions;
  readonly #values = new Map<string, string>();

  /** @throws Error for a variable that has no value, since nothing would be shown then */
  static async of(
    variables: readonly VariableModel[],
    options: FilledOptions,
  ): Promise<FilledVariables> {
    const filled = new FilledVariables(options);
    for (const variable of variables) {
      const value = options.chosen?.[variable.name] ?? (await filled.#valueOf(variable));
      if (value === undefined) throw new Error(`the variable ${variable.name} has no value`);
      filled.#values.set(variable.name, value);
    }
    return filled;
  }

  private constructor(options: FilledOptions) {
    this.#options = options;
    const { span, timeZone = 'utc' } = options;
    const { from, to, step } = span;
    const range = Math.round(to - from);
    const builtIn = {
      __rate_interval: `${options.rateSeconds}s`,
      __interval: `${step}s`,
      __interval_ms: String(step * 1000),
      __range: `${range}s`,
      __range_s: String(range),
      __range_ms: String(range * 1000),
      __timezone: timeZone,
    };
    for (const [name, value] of Object.entries(builtIn)) this.#values.set(name, value);
  }

  /** Every variable that is used in it is replaced. */
  fill(text: string): string {
    return text.replaceAll(used, (use: string, ...found) => {
      const { braced, plain, format } = found.at(-1) as Record<string, string | undefined>;
      const name = braced ?? plain ?? '';
      if (name === '__from' || name === '__to') return this.#timeOf(name, format);
      const value = this.#values.get(name);
      // As in Grafana. An unknown name is an error of the query, or a function of JSONata.
      if (value === undefined) return use;
      return format === 'percentencode' || format === 'queryparam'
        ? encodeURIComponent(value)
        : value;
    });
  }

  #timeOf(name: '__from' | '__to', format: string | undefined): string {
    const { from, to } = this.#options.span;
    const milliseconds = Math.round((name === '__from' ? from : to) * 1000);
    if (format === undefined) return String(milliseconds);
    if (format === 'date' || format === 'date:iso') return new Date(milliseconds).toISOString();
    if (format === 'date:seconds') return String(Math.floor(milliseconds / 1000));
    throw new Error(`a time in the format ${format} is not known here`);
  }

  async #valueOf({ type, query, current, includeAll, allValue }: VariableModel) {
    if (type === 'datasource') return 'default';
    const [value] = [current?.value ?? []].flat();
    if (type !== 'query') return value ?? (typeof query === 'string' ? query : undefined);
    const values = await this.#found(query);
    if (includeAll === true && value === '$__all') return allValue ?? `(${values.join('|')})`;
    return value !== undefined && value !== '' ? value : values[0];
  }

  async #found(query: unknown): Promise<string[]> {
    const { query: text = '', infinityQuery } = query as Partial<Query>;
    const { prometheus, queryApi: baseUrl } = this.#options;
    if (infinityQuery !== undefined) {
      const rows = await askInfinity(infinityQuery, { baseUrl, fill: (its) => this.fill(its) });
      return rows.map((row) => String(row['__value']));
    }
    const groups = labelValues.exec(this.fill(text))?.groups;
    if (groups === undefined || prometheus === undefined)
      throw new Error(`not known how to ask for ${JSON.stringify(query)}`);
    const { label = '', match } = groups;
    return (await prometheus.labelValues(label, match)).sort();
  }
}

/** Of a variable; of one or the other data source. */
interface Query {
  query: string;
  infinityQuery: TargetModel;
}
