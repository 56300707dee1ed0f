import { buildDashboard } from '../build-dashboard.ts';
import { releaseVariables, textVariable } from '../variables.ts';
import { attempts, money, perUse, units } from './table-cost-panels.ts';
import type { NamedDashboard } from '../build-dashboard.ts';
import type { VariableModel } from '@grafana/grafana-foundation-sdk/dashboard';

export function tableCost(): NamedDashboard {
  return buildDashboard({
    name: 'table-cost',
    title: 'table cost',
    purpose:
      'What DynamoDB is asked for, what a reading and a request cost, and what that comes to in money.',
    variables: [...releaseVariables(), ...prices()],
    rows: [
      { title: 'What does it come to?', panels: money() },
      { title: 'What takes the units?', panels: units() },
      { title: 'What does one of them cost?', panels: perUse() },
      { title: 'How does the table answer?', panels: attempts() },
    ],
  });
}

const source =
  'Of the standard table class in us-east-1 since November 2024 (aws.amazon.com/dynamodb/pricing); put in that of your Region';

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
