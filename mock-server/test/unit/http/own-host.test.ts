import { describe, expect, test } from 'vitest';
import { isApiHost, isOwnHost, isOwnOrigin } from '../../../src/http/own-host.ts';

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
    ['api.service.test:443', behindProxy, 4010],
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
    ['api.service.test:8443', behindProxy, 4010],
    ['', loopback, 4010],
    ['a b', loopback, 4010],
  ])('do not include %s', (host, config, port) => {
    expect(isOwnHost(host, config, port)).toBe(false);
  });
});

describe('The pages of the server', () => {
  test.each([
    ['http://127.0.0.1:4010', loopback],
    ['http://localhost:4010', loopback],
    ['http://[::1]:4010', loopback],
    ['http://192.0.2.2:4010', everywhere],
    ['https://api.service.test', behindProxy],
    ['http://localhost:4010', behindProxy],
  ])('include %s', (origin, config) => {
    expect(isOwnOrigin(origin, config, 4010)).toBe(true);
  });

  test.each([
    ['https://localhost:4010', loopback],
    ['ftp://127.0.0.1:4010', loopback],
    ['https://192.0.2.2:4010', everywhere],
    ['http://api.service.test', behindProxy],
    ['https://api.service.test:8443', behindProxy],
    ['https://attacker.api.service.test', behindProxy],
    ['http://localhost:4011', loopback],
    ['http://rebound.attacker.test:4010', loopback],
    ['null', loopback],
    ['', loopback],
  ])('do not include %s', (origin, config) => {
    expect(isOwnOrigin(origin, config, 4010)).toBe(false);
  });
});

describe('The host names of /v1', () => {
  test.each([
    ['localhost:5173', loopback],
    ['LOCALHOST', loopback],
    ['localhost.:4010', loopback],
    ['app.localhost:3000', loopback],
    ['127.0.0.1', loopback],
    ['127.9.9.9:1', loopback],
    ['[::1]:4010', loopback],
    ['api.service.test', behindProxy],
    ['api.service.test:8443', behindProxy],
    ['localhost', { host: 'localhost' }],
    ['localhost', { host: '::1' }],
    ['any.service.test', everywhere],
    ['192.0.2.2', { host: '192.0.2.2' }],
  ])('include %s', (host, config) => {
    expect(isApiHost(host, config)).toBe(true);
  });

  test.each([
    ['rebound.attacker.test:4010', loopback],
    ['localhost.attacker.test', loopback],
    ['notlocalhost', loopback],
    ['127.0.0.1.attacker.test', loopback],
    ['128.0.0.1', loopback],
    ['0.0.0.0:4010', loopback],
    ['192.168.1.5:4010', loopback],
    ['api.service.test', loopback],
    ['attacker.api.service.test', behindProxy],
    ['rebound.attacker.test', { host: 'localhost' }],
    ['rebound.attacker.test', { host: '::1' }],
    ['rebound.attacker.test', { host: '127.0.0.2' }],
    ['', loopback],
    ['a b', loopback],
  ])('do not include %s', (host, config) => {
    expect(isApiHost(host, config)).toBe(false);
  });
});
