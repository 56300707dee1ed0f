import { openDynamoDb } from '@engawa/testing';
import { Simulator } from '../src/index.ts';
import { clientOf, createThings } from './simulator-fixture.ts';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TestDynamoDb } from '@engawa/testing';

/** The API of TEST_DYNAMODB_ENDPOINT; by default the simulator in front of the embedded engine. */
export class ConformanceFixture {
  readonly tableName: string;
  readonly send: DynamoDBClient['send'];
  readonly #close: () => Promise<void>;

  static async open(): Promise<ConformanceFixture> {
    const engine = await openDynamoDb({});
    const simulator = engine.isNamed
      ? undefined
      : await Simulator.start({ upstream: engine.endpoint });
    const client = clientOf(simulator?.endpoint ?? engine.endpoint);
    const fixture = new ConformanceFixture(engine, client, simulator);
    await createThings(client, fixture.tableName);
    return fixture;
  }

  private constructor(engine: TestDynamoDb, client: DynamoDBClient, simulator?: Simulator) {
    this.tableName = engine.tableNamed('things');
    this.send = client.send.bind(client);
    this.#close = async () => {
      client.destroy();
      await simulator?.close();
      await engine.close();
    };
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** A text of this many bytes. */
export function text(bytes: number): string {
  return 'x'.repeat(bytes);
}
