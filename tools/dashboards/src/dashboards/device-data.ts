import {
  CustomVariableBuilder,
  QueryVariableBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { namesSelector } from '../response-rows.ts';
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
      'Readings of one device. Its panels query the API of the query service, not Prometheus, and need the Infinity data source with the address of that service and a token.',
    variables: deviceVariables(),
    rows: [
      { title: 'Readings over time', panels: overTime() },
      { title: 'Latest readings', panels: inNumbers() },
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
      description: 'The device id; GET /v1/devices of the registry lists all.',
    }),
    fieldVariable(),
    pointsVariable(),
  ];
}

/** The fields of the device's latest readings. */
function fieldVariable(): VariableModel {
  const question = infinityQuestion(
    {
      path: '/v1/devices/${device:percentencode}/latest',
      parameters: { limit: '20' },
      selector: namesSelector('readings.fields'),
      columns: [
        { name: '__text', type: 'string' },
        { name: '__value', type: 'string' },
      ],
    },
    'field',
  );
  return new QueryVariableBuilder('field')
    .label('Field')
    .description('A numeric field.')
    .datasource(queryApi)
    .query({ refId: 'field', queryType: 'infinity', query: '', infinityQuery: question })
    .refresh(VariableRefresh.OnDashboardLoad)
    .build();
}

function pointsVariable(): VariableModel {
  const choices = ['30', '100', '300', '1000'];
  const usual = '100';
  return new CustomVariableBuilder('points')
    .label('Buckets')
    .description(
      'Maximum number of buckets in the time range. The API selects their width, from a minute to a year.',
    )
    .values(choices.join(','))
    .options(choices.map((value) => ({ selected: value === usual, text: value, value })))
    .current({ selected: true, text: usual, value: usual })
    .build();
}
