import type { Context } from 'hono';
import { expect, test } from 'vitest';
import { clientOf } from '../../../src/http/incoming.ts';

const from = (remoteAddress: string | undefined) => ({ env: { incoming: { socket: { remoteAddress } } } }) as Context;

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8::3:4:5:6:7', '2001:db8:0:3'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  [undefined, undefined],
])('the client at %s is %s', (address, client) => {
  expect(clientOf(from(address))).toBe(client);
});

test('a request without a socket has no client', () => {
  expect(clientOf({ env: {} } as Context)).toBeUndefined();
});
