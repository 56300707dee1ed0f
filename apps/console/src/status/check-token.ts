import { Problem } from '@engawa/errors';
import { z } from 'zod';
import { serviceNames } from '../services.ts';
import type { ServiceName, ServiceUrls } from '../services.ts';

/** Milliseconds for a service to check a token. */
const timeoutMs = 4000;

export type TokenCheck =
  | { kind: 'valid' }
  | { kind: 'refused'; problem: Problem }
  /** No service could check the token. */
  | { kind: 'unknown'; services: { name: ServiceName; answers: boolean }[] };

/** The scope of the token in a report of hot partitions; older services lack it. */
const answerBody = z.object({ restrictedToPlaces: z.literal(false) });

interface ServiceAnswer {
  status: number;
  /** False where the service does not say that the token is valid for all places. */
  isForAllPlaces: boolean;
}

/**
 * The console does not verify tokens itself: the first service that can, decides. Hot partitions cost no request to the
 * table, and need the same scope. The other services are asked at the same time where the first one cannot. Processes,
 * alerts and costs belong to no place, so a token that is restricted to places is refused.
 */
export async function checkToken(authorization: string, urls: ServiceUrls): Promise<TokenCheck> {
  const missing = new Problem('unauthenticated', 'The token is missing or not valid.');
  if (authorization === '') return { kind: 'refused', problem: missing };
  const [first, ...others] = serviceNames;
  const ask = (name: ServiceName) => askService(urls[name], authorization);
  const asked = [await ask(first)];
  if (!decides(asked[0])) asked.push(...(await Promise.all(others.map(ask))));
  const decision = asked.find(decides);
  if (decision === undefined) {
    const services = serviceNames.map((name, index) => {
      return { name, answers: asked[index] !== undefined };
    });
    return { kind: 'unknown', services };
  }
  const { status, isForAllPlaces } = decision;
  if (status === 401) return { kind: 'refused', problem: missing };
  if (status === 403) return forbidden('The token lacks the scope read.');
  if (isForAllPlaces) return { kind: 'valid' };
  return forbidden('The state of the services needs a token that is not restricted to places.');
}

function forbidden(detail: string): TokenCheck {
  return { kind: 'refused', problem: new Problem('forbidden', detail) };
}

/** @returns undefined where it does not answer */
async function askService(url: string, authorization: string): Promise<ServiceAnswer | undefined> {
  try {
    const response = await fetch(`${url}/v1/hot-partitions?limit=1`, {
      headers: { authorization },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body: unknown = await response.json().catch(() => undefined);
    return { status: response.status, isForAllPlaces: answerBody.safeParse(body).success };
  } catch {
    return undefined;
  }
}

function decides(answer: ServiceAnswer | undefined): answer is ServiceAnswer {
  if (answer === undefined) return false;
  const { status } = answer;
  return status < 300 || status === 401 || status === 403;
}
