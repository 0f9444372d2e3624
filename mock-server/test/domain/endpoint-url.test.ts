import { expect, test } from 'vitest';
import { receiverUrlProblem } from '../../src/domain/endpoint-url.ts';

test.each([
  'https://receiver.test/',
  'http://localhost:3000/hook',
  'http://127.0.0.1/',
  'http://127.255.255.254/',
  'http://[::1]:8080/',
  'http://0x7f.1/',
])('%s is taken in the local profile', (url) => {
  expect(receiverUrlProblem(url, true)).toBeUndefined();
});

test.each([
  'http://receiver.test/',
  'http://localhost.receiver.test/',
  'http://128.0.0.1/',
  'http://10.0.0.1/',
  'http://[::2]/',
])('%s is not', (url) => {
  expect(receiverUrlProblem(url, true)).toContain('https');
});

test('in the strict profile only https is taken', () => {
  expect(receiverUrlProblem('http://localhost:3000/', false)).toContain('https');
  expect(receiverUrlProblem('https://receiver.test/', false)).toBeUndefined();
});
