/**
 * Sends an embedded engine a request in DynamoDB's JSON that no part of Engawa sends.
 * @throws Error with the engine's message when it is rejected
 */
export async function askEngine(
  endpoint: string,
  operation: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'content-type': 'application/x-amz-json-1.0',
      // The engine requires a signature, but does not verify it.
      'x-amz-date': '20260101T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Record<string, unknown>;
}
