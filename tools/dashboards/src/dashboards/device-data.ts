import {
  CustomVariableBuilder,
  QueryVariableBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { keysSelector } from '../answer-rows.ts';
import { buildDashboard } from '../build-dashboard.ts';
import { infinityQuestion, queryApi } from '../infinity.ts';
import { queryApiVariable, textVariable } from '../variables.ts';
import { inNumbers, overTime } from './device-data-panels.ts';
import type { VariableModel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { NamedDashboard } from '../build-dashboard.ts';

export function deviceData(): NamedDashboard {
  return buildDashboard({
    name: 'device-data',
    title: 'device data',
    purpose:
      'What one device has reported, as the query API gives it. It asks that API, not Prometheus: it needs the Infinity data source, with the address of the query service and a token.',
    variables: deviceVariables(),
    rows: [
      { title: 'What does the device report?', panels: overTime() },
      { title: 'What did it say last?', panels: inNumbers() },
    ],
    from: 'now-24h',
  });
}

function deviceVariables(): VariableModel[] {
  return [
    queryApiVariable(),
    textVariable({
      name: 'device',
      label: 'Device',
      value: 'climate-1',
      description: 'Its id: the registry knows them all (GET /v1/devices).',
    }),
    fieldVariable(),
    everyVariable(),
  ];
}

/** The names of what the device has reported lately. */
function fieldVariable(): VariableModel {
  const question = infinityQuestion(
    {
      path: '/v1/devices/${device:percentencode}/latest',
      parameters: { limit: '20' },
      selector: keysSelector('readings.fields', 'field'),
      columns: [{ name: 'field', type: 'string' }],
    },
    'field',
  );
  return new QueryVariableBuilder('field')
    .label('Field')
    .description('One that is a number.')
    .datasource(queryApi)
    .query({ refId: 'field', queryType: 'infinity', query: '', infinityQuery: question })
    .refresh(VariableRefresh.OnDashboardLoad)
    .build();
}

function everyVariable(): VariableModel {
  const widths = ['PT1M', 'PT5M', 'PT15M', 'PT1H', 'P1D'];
  const usual = 'PT15M';
  return new CustomVariableBuilder('every')
    .label('Every')
    .description('How wide a bucket is. At most 1,000 buckets are shown.')
    .values(widths.join(','))
    .options(widths.map((width) => ({ selected: width === usual, text: width, value: width })))
    .current({ selected: true, text: usual, value: usual })
    .build();
}
