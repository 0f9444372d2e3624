import { expect, test } from 'vitest';
import { logText } from '../../../src/runtime/log-text.ts';

const time = '2031-03-01T00:00:00.000Z';
const err = { type: 'Error', message: 'away\n\u001b[2Jfor now', stack: 'Error: away\n    at there' };
const line = JSON.stringify({ level: 50, time, err, retryInMs: 100, msg: 'cannot be read' });

test('a line for people has the time, level, message, fields and error, and no terminal control codes', () => {
  expect(logText(line, { withStacks: false })).toBe(
    '2031-03-01T00:00:00.000Z ERROR cannot be read retryInMs=100: away\\n\\u001b[2Jfor now\n',
  );
  const plain = JSON.stringify({ level: 30, time, outcome: 'success', error: 'a\u001b\u009bb', msg: 'attempt made' });
  expect(logText(plain, { withStacks: false })).toBe(
    '2031-03-01T00:00:00.000Z INFO  attempt made outcome="success" error="a\\u001b\\u009bb"\n',
  );
});

test('a debug line is followed by the stack of the error', () => {
  expect(logText(line, { withStacks: true })).toMatch(/for now\nError: away\n {4}at there\n$/);
});
