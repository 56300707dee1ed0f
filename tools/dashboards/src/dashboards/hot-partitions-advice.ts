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

const advice = `
Engawa knows **what to do about each hot key**. Every service tells, of all processes (here with a release called \`engawa\`):

\`curl 'http://engawa-registry:8080/v1/hot-partitions/merged?hot=true'\`

- A **device**: its readings are packed, then spread over more keys by itself. Send fewer messages, or more readings in each.
- A **list** (\`LIST#…\`, last seen, searches): spread by itself within seconds. Until then create and rename more slowly.
- **Anything else** (one entity, one place) cannot be spread: ask it less often, or split it in two.

More: \`docs/hot-partitions.md\`.
`;

/** What the panels above ask for: the same as docs/hot-partitions.md, in short. */
export function whatToDo(): Panel[] {
  return [
    text({
      title: 'Throttling scopes',
      description: 'What each scope of throttling means, and who can do what about it.',
      content: scopes.trim(),
      width: 12,
      height: 7,
    }),
    text({
      title: 'Mitigation by key family',
      description: 'Where the advice about each hot key is, and what it comes to.',
      content: advice.trim(),
      width: 12,
      height: 7,
    }),
  ];
}
