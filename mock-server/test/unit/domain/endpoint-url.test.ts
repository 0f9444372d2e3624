import { describe, expect, test } from 'vitest';
import { receiverUrlProblem } from '../../../src/domain/endpoint-url.ts';
import { createAddressRules } from '../../../src/domain/receiver-address.ts';

const local = { local: true, addresses: createAddressRules({ allowLoopback: true, allowNetworks: ['10.1.0.0/16'] }) };
const strict = { local: false, addresses: createAddressRules({ allowLoopback: false, allowNetworks: [] }) };

describe('The local profile', () => {
  test.each([
    'https://receiver.test/',
    'https://8.8.8.8/',
    'https://10.1.2.3/',
    'http://localhost:3000/hook',
    'http://127.0.0.1/',
    'http://127.255.255.254/',
    'http://[::1]:8080/',
    'https://localhost/',
    'http://0x7f.1/',
    'https://127.0.0.1/',
  ])('accepts %s', (url) => {
    expect(receiverUrlProblem(url, local)).toBeUndefined();
  });

  test.each([
    'http://receiver.test/',
    'ftp://127.0.0.1/',
    'http://localhost.receiver.test/',
    'http://128.0.0.1/',
    'http://10.1.2.3/',
    'http://[::2]/',
    'https://10.2.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://0xa9fea9fe/',
    'https://[::ffff:10.0.0.1]/',
  ])('refuses %s', (url) => {
    expect(receiverUrlProblem(url, local)).toEqual(expect.any(String));
  });
});

describe('The strict profile', () => {
  test('accepts https to public addresses and names', () => {
    expect(receiverUrlProblem('https://receiver.test/', strict)).toBeUndefined();
    expect(receiverUrlProblem('https://8.8.8.8/', strict)).toBeUndefined();
  });

  test.each([
    'http://localhost:3000/',
    'https://localhost/',
    'https://LOCALHOST:8443/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.1.2.3/',
  ])('refuses %s', (url) => {
    expect(receiverUrlProblem(url, strict)).toEqual(expect.any(String));
  });
});
