import { text } from 'node:stream/consumers';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshalJson } from './unmarshal-json.ts';
import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Readable } from 'node:stream';
import type { Document } from '@engawa/model';
import type { JsonAttributes } from './unmarshal-json.ts';

/** The part of the SDK's answer from the wire that matters here. */
interface WireAnswer {
  response: { statusCode: number; body: unknown };
}

/** What DynamoDB answers to a Query, as JSON. */
interface QueryAnswer {
  Items?: JsonAttributes[];
}

/**
 * A Query whose items we read ourselves. The SDK finds the endpoint, signs, sends and reads the rest of the answer; it would
 * walk every value of every item by its schema and then once more to make it plain: a page of 1 MB took it 150 ms.
 */
export function queryCommand(input: QueryCommandInput): {
  command: QueryCommand;
  items: Document[];
} {
  const command = new QueryCommand(input);
  const items: Document[] = [];
  command.middlewareStack.add(
    (next) => async (request) => {
      const answer = await next(request);
      const { response } = answer as unknown as WireAnswer;
      if (response.statusCode !== 200) return answer;
      const { Items = [], ...rest } = JSON.parse(
        await text(response.body as Readable),
      ) as QueryAnswer;
      items.length = 0; // of an attempt before, whose answer broke off
      for (const item of Items) items.push(unmarshalJson(item));
      response.body = Buffer.from(JSON.stringify(rest));
      return answer;
    },
    // Inside the deserializer, which then finds an answer without items.
    { name: 'engawaReadItems', step: 'deserialize', priority: 'low' },
  );
  return { command, items };
}
