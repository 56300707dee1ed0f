import { buildDashboard } from '../build-dashboard.ts';
import { releaseVariables, textVariable } from '../variables.ts';
import { attempts, money, perUse, units } from './table-cost-panels.ts';
import type { NamedDashboard } from '../build-dashboard.ts';
import type { VariableModel } from '@grafana/grafana-foundation-sdk/dashboard';

export function tableCost(): NamedDashboard {
  return buildDashboard({
    name: 'table-cost',
    title: 'table cost',
    purpose: 'Requests to DynamoDB, the units per reading and per request, and the estimated cost.',
    variables: [...releaseVariables(), ...prices()],
    rows: [
      { title: 'Estimated cost', panels: money() },
      { title: 'Consumed capacity', panels: units() },
      { title: 'Units per reading and request', panels: perUse() },
      { title: 'DynamoDB requests', panels: attempts() },
    ],
  });
}

const source =
  'Of the standard table class in us-east-1 since November 2024 (aws.amazon.com/dynamodb/pricing); enter the price of your Region';

function prices(): VariableModel[] {
  return [
    textVariable({
      name: 'write_price',
      label: 'USD per 1M writes',
      value: '0.625',
      description: `Per million write request units, on-demand. ${source}.`,
    }),
    textVariable({
      name: 'read_price',
      label: 'USD per 1M reads',
      value: '0.125',
      description: `Per million read request units, on-demand. ${source}.`,
    }),
    textVariable({
      name: 'write_capacity_price',
      label: 'USD per WCU hour',
      value: '0.00065',
      description: `Per provisioned write unit and hour. ${source}.`,
    }),
    textVariable({
      name: 'read_capacity_price',
      label: 'USD per RCU hour',
      value: '0.00013',
      description: `Per provisioned read unit and hour. ${source}.`,
    }),
  ];
}
