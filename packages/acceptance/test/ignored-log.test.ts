import { startProcess } from '@svc/testing';
import { expect, test } from 'vitest';

test('the log warns about unknown input, and not again within a minute', async () => {
  await using server = await startProcess(['--memory']);
  const { credentials, url } = server.ready;
  const { credential } = credentials.find(({ kind }) => kind === 'api_key') ?? {};
  const call = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${credential}` } });

  expect((await call('/v1/events?createdAfter=1')).headers.get('service-ignored')).toBe('query.createdAfter');
  await call('/v1/events?createdAfter=2');
  await call('/v1/me?other=1');
  await server.said('query.other');
  const warnings = server
    .stderr()
    .split('\n')
    .filter((line) => line.includes('ignored unknown input'))
    .map((line) => JSON.parse(line));
  expect(warnings).toMatchObject([
    { level: 40, msg: 'ignored unknown input: query.createdAfter', operation: 'listEvents' },
    { level: 40, msg: 'ignored unknown input: query.other', operation: 'retrieveIdentity' },
  ]);
});
