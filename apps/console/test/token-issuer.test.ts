import { freePort } from '@engawa/testing';
import { startConsole } from './start-console.ts';

it('an issuer that does not respond is a problem of its own, not of its signing keys', async () => {
  const app = await startConsole({
    AUTH_MODE: 'jwt',
    AUTH_ISSUER: `http://127.0.0.1:${await freePort()}`,
    AUTH_CLIENT_ID: 'console',
  });
  try {
    const response = await fetch(`${app.url}/api/session/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grantType: 'refresh_token', refreshToken: 'secret' }),
    });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toMatchObject({ type: '/problems/issuer-unavailable' });
  } finally {
    await app.close();
  }
});
