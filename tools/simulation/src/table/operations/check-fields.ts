import { invalid } from '@engawa/dynamodb-simulator/rules';
import type { Document } from '@engawa/dynamodb-simulator/rules';

/** Rejects unknown fields, which the model would otherwise ignore. @throws Refusal */
export function checkFields(what: string, input: Document, known: readonly string[]): void {
  for (const field of Object.keys(input)) {
    if (known.includes(field) || input[field] == null) continue;
    throw invalid(`the simulated table does not support ${field} in ${what}`);
  }
}
