/** The metrics that the Health page uses; other lines of a scrape are skipped. */
const usedMetrics = [
  'engawa_memory_limit_bytes',
  'engawa_ingest_oldest_unacknowledged_seconds',
  'engawa_ingest_unacknowledged_messages',
  'engawa_mqtt_connected',
  'engawa_mqtt_connects_total',
  'engawa_mqtt_self_tests_failed_total',
  'engawa_mqtt_sessions_lost_total',
  'engawa_table_consumed_units_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
] as const;

export type UsedMetric = (typeof usedMetrics)[number];

interface Sample {
  /** As in the text: `operation="query",unit="read"`. */
  labels: string;
  value: number;
}

const used: ReadonlySet<string> = new Set(usedMetrics);

/**
 * Reads the used metrics of a scrape in the text format
 * (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4).
 */
export class MetricSamples {
  readonly #samples = new Map<string, Sample[]>();

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, name = '', labels = '', digits = ''] =
        /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
      if (!used.has(name)) continue;
      const value = Number(digits.replace('Inf', 'Infinity'));
      const list = this.#samples.get(name);
      if (list === undefined) this.#samples.set(name, [{ labels, value }]);
      else list.push({ labels, value });
    }
  }

  /** Of a metric without labels; undefined where the process does not have it. */
  value(name: UsedMetric): number | undefined {
    return this.#samples.get(name)?.[0]?.value;
  }

  /** @param label as in the text: `unit="read"` */
  sum(name: UsedMetric, label: string): number {
    const some = this.#samples.get(name) ?? [];
    return some
      .filter(({ labels }) => labels.split(',').includes(label))
      .reduce((sum, { value }) => sum + value, 0);
  }
}
