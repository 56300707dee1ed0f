import { keyFamilies } from '@engawa/reference';
import { text } from '../panels.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const scopes = `
| scope | means | do |
| --- | --- | --- |
| \`key_range\` | one key takes more than a partition can, while others idle | what its advice says; more capacity does not help |
| \`table\` | the table or an index is provisioned with too little | raise it, or go on-demand |
| \`account\` | the account’s quota in this Region is used up | ask AWS for more |
| \`on_demand_maximum\` | the maximum that is set for the table or an index is reached | raise it |
| \`other\` | DynamoDB gave no reason | look at the key with the highest share |

A throttled **index** turns away writes to the table as well, and has limits of its own: raise those, not the table’s.
`;

/** What each family of keys is, for the names in the panels above. */
const families = [
  '| keys | what they are | written by | more shards help |',
  '| --- | --- | --- | --- |',
  ...Object.values(keyFamilies).map(
    ({ keys, description, writtenBy, isSharded }) =>
      `| \`${keys}\` | ${description} | ${writtenBy} | ${isSharded ? 'yes, by themselves' : 'no'} |`,
  ),
  '',
  'What to do about a key that is hot is beside it, in “Hot keys, explained”. More: `docs/hot-partitions.md`.',
].join('\n');

/** What the panels above ask for: the same as docs/hot-partitions.md, in short. */
export function whatToDo(): Panel[] {
  return [
    text({
      title: 'Throttling scopes',
      description: 'What each scope of throttling means, and who can do what about it.',
      content: scopes.trim(),
      width: 24,
      height: 7,
    }),
    text({
      title: 'Key families',
      description:
        'What the keys of each family hold, which services write them, and whether they can be spread.',
      content: families,
      width: 24,
      height: 12,
    }),
  ];
}
