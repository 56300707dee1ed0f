import { OperatorError } from '@engawa/errors';

/**
 * Commands that start DynamoDB Local, and those that use it. The archive of version 3 has `v2.x` in its path:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.DownloadingAndRunning.html
 */
const alternatives = `Use another DynamoDB API. To start DynamoDB Local with Docker:

  docker run --rm -p 127.0.0.1:8000:8000 amazon/dynamodb-local

or with Java 17 or later:

  mkdir -p .engine && curl -sSf https://d1ni2b6xgvw0s0.cloudfront.net/v2.x/dynamodb_local_latest.tar.gz | tar -xz -C .engine
  java -Djava.library.path=.engine/DynamoDBLocal_lib -jar .engine/DynamoDBLocal.jar -sharedDb -inMemory

Then, in another terminal:

  DYNAMODB_ENDPOINT=http://127.0.0.1:8000 npm start
  TEST_DYNAMODB_ENDPOINT=http://127.0.0.1:8000 npm test`;

/** The embedded DynamoDB API cannot run on this machine. The message has the reason and commands to paste. */
export class EngineUnavailable extends OperatorError {
  constructor(reason: string, options?: ErrorOptions) {
    super(`${reason}\n${alternatives}`, options);
  }
}
