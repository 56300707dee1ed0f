import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  TextBoxVariableBuilder,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { infinityType } from './infinity.ts';
import { prometheus } from './panel-parts.ts';
import { series } from './series.ts';
import type { VariableModel } from '@grafana/grafana-foundation-sdk/dashboard';

/** A counter that each service exports from its start, so that the lists are never empty. */
const alwaysThere = 'engawa_shard_map_reads_total';

/** The Prometheus data source, namespace and release; the first ones by default. */
export function releaseVariables(): VariableModel[] {
  return [
    new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus').build(),
    labelVariable('namespace', `label_values(${alwaysThere}, namespace)`).build(),
    labelVariable(
      'release',
      `label_values(${alwaysThere}{namespace="$namespace"}, release)`,
    ).build(),
  ];
}

/** The pods; all by default. */
export function podVariable(...matchers: string[]): VariableModel {
  return labelVariable('pod', `label_values(${series(alwaysThere, ...matchers)}, pod)`)
    .multi(true)
    .includeAll(true)
    .allValue('.*')
    .current({ selected: true, text: ['All'], value: ['$__all'] })
    .build();
}

function labelVariable(name: string, query: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(name.charAt(0).toUpperCase() + name.slice(1))
    .datasource(prometheus)
    .query({ query, refId: name })
    .definition(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc);
}

/** The data source for the query API. */
export function queryApiVariable(): VariableModel {
  return new DatasourceVariableBuilder('queryApi').label('Query API').type(infinityType).build();
}

/** Address of docs/runbooks; the chart replaces it with `monitoring.rules.runbooks`. */
export const runbooksPlaceholder = 'https://example.com/engawa/docs/runbooks';

export function runbooksVariable(): VariableModel {
  return textVariable({
    name: 'runbooks',
    label: 'Runbooks',
    value: runbooksPlaceholder,
    description: 'The URL of the folder docs/runbooks, for the links of alerts.',
  });
}

/** A variable with free text. */
export function textVariable(options: {
  name: string;
  label: string;
  value: string;
  description: string;
}): VariableModel {
  const { name, label, value, description } = options;
  return new TextBoxVariableBuilder(name)
    .label(label)
    .description(description)
    .defaultValue(value)
    .current({ selected: true, text: value, value })
    .options([{ selected: true, text: value, value }])
    .build();
}
