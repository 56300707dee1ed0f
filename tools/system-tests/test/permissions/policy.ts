import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(__dirname, '../../../../charts/engawa/iam');

export interface Statement {
  Sid: string;
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
}

export interface PolicyDocument {
  Version: string;
  Statement: Statement[];
}

/** The file names of the chart's policies, one per service account. */
export function policyNames(): string[] {
  return readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
}

export function readPolicy(name: string): PolicyDocument {
  return JSON.parse(readFileSync(resolve(folder, `${name}.json`), 'utf8')) as PolicyDocument;
}

/** The values of a policy's placeholders. */
export interface TableLocation {
  region: string;
  account: string;
  table: string;
}

/** An action on a resource, as `dynamodb:Query arn:…/index/gsi1`. */
export type Grant = string;

/** The permissions of a policy of the chart. Policies have no wildcards and no denials, so that is a plain set. */
export function grantsOf(policy: PolicyDocument, place: TableLocation): Set<Grant> {
  return new Set(
    policy.Statement.flatMap(({ Action, Resource }) =>
      [Action].flat().flatMap((action) =>
        [Resource].flat().map((resource) => {
          const filled = resource
            .replace('REGION', place.region)
            .replace('ACCOUNT', place.account)
            .replace('TABLE', place.table);
          return `${action} ${filled}`;
        }),
      ),
    ),
  );
}
