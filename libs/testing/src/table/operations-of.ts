interface Contract {
  paths: Record<string, Record<string, { security?: { bearer: string[] }[] }>>;
}

export interface GuardedOperation {
  method: string;
  /** With an `x` for each parameter of the path. */
  url: string;
  /** The required scope of a token, such as `query:read`; undefined if none is required. */
  scope: string | undefined;
}

/** The operations of an API, from its OpenAPI document. */
export async function operationsOf(api: string): Promise<GuardedOperation[]> {
  const { paths } = (await (await fetch(`${api}/openapi.json`)).json()) as Contract;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      url: api + path.replaceAll(/\{\w+\}/g, 'x'),
      scope: security?.[0]?.bearer[0],
    })),
  );
}
