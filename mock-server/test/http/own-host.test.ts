import { describe, expect, test } from 'vitest';
import { isOwnHost } from '../../src/http/own-host.ts';

const loopback = { host: '127.0.0.1' };
const everywhere = { host: '0.0.0.0' };
const behindProxy = { host: '127.0.0.1', publicUrl: 'https://api.service.test' };

describe('The host names of the server', () => {
  test.each([
    ['127.0.0.1:4010', loopback, 4010],
    ['LOCALHOST:4010', loopback, 4010],
    ['[::1]:4010', loopback, 4010],
    ['127.0.0.1', loopback, 80],
    ['192.0.2.2:4010', everywhere, 4010],
    ['[2001:db8::1]:4010', everywhere, 4010],
    ['api.service.test', behindProxy, 4010],
  ])('include %s', (host, config, port) => {
    expect(isOwnHost(host, config, port)).toBe(true);
  });

  test.each([
    ['rebound.attacker.test:4010', loopback, 4010],
    ['rebound.attacker.test:4010', everywhere, 4010],
    ['127.0.0.1:4011', loopback, 4010],
    ['127.0.0.1', loopback, 4010],
    ['192.0.2.2:4010', loopback, 4010],
    ['localhost.attacker.test:4010', loopback, 4010],
    ['api.service.test.attacker.test', behindProxy, 4010],
    ['', loopback, 4010],
    ['a b', loopback, 4010],
  ])('do not include %s', (host, config, port) => {
    expect(isOwnHost(host, config, port)).toBe(false);
  });
});
