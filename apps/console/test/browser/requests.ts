import { expect } from '@playwright/test';
import type { APIResponse } from '@playwright/test';

/** Repeats a request that a busy service has rejected (429, 503), as clients do. @returns the successful response */
export async function untilAccepted(send: () => Promise<APIResponse>): Promise<APIResponse> {
  let response = await send();
  await expect(async () => {
    if (!response.ok()) response = await send();
    expect([response.url(), response.status(), response.ok() ? '' : await response.text()]).toEqual(
      [response.url(), expect.any(Number), ''],
    );
  }).toPass();
  return response;
}
