import { keyFamilies } from '@engawa/reference';
import { text } from '../panels.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const scopes = `
| scope | means | do |
| --- | --- | --- |
| \`key_range\` | one key exceeds the limit of a partition | follow the advice for the key; more capacity does not help |
| \`table\` | the table or an index exceeds its provisioned capacity | raise the capacity, or switch to on-demand |
| \`account\` | the account exceeds its quota in this Region | ask AWS for a higher quota |
| \`on_demand_maximum\` | the table or an index exceeds its configured on-demand maximum | raise the maximum |
| \`other\` | DynamoDB reported no reason | look at the key with the highest utilization |

A throttled **index** also throttles writes to the table. It has its own limits: raise those, not the table’s.
`;

/** Explains the keys in the panels above. */
const families = [
  '| keys | contents | written by | sharded |',
  '| --- | --- | --- | --- |',
  ...Object.values(keyFamilies).map(
    ({ keys, description, writtenBy, isSharded }) =>
      `| \`${keys}\` | ${description} | ${writtenBy} | ${isSharded ? 'yes, added automatically' : 'no'} |`,
  ),
  '',
  '“Hot keys, explained” has advice for each hot key. Details: `docs/hot-partitions.md`.',
].join('\n');

/** A summary of docs/hot-partitions.md. */
export function whatToDo(): Panel[] {
  return [
    text({
      title: 'Throttling scopes',
      description: 'The meaning of each throttling scope, and the action for it.',
      content: scopes.trim(),
      width: 24,
      height: 7,
    }),
    text({
      title: 'Key families',
      description:
        'The contents of each key family, the services that write it, and whether it can be sharded.',
      content: families,
      width: 24,
      height: 12,
    }),
  ];
}
