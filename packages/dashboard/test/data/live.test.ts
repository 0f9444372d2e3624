import type { HelloMessage } from '@svc/contract/control/types';
import { beforeEach, expect, test, vi } from 'vitest';
import type * as live from '../../src/data/live.ts';

let page: typeof live;
beforeEach(async () => {
  vi.resetModules();
  page = await import('../../src/data/live.ts');
});

const clock = { now: '2031-03-01T00:00:00.000Z', offsetMs: 0, frozen: false, moving: false };
function greet(dataId: string, instanceId = 'one'): void {
  const hello: HelloMessage = { instanceId, dataId, version: '1.0.0', clock };
  page.receive({ kind: 'hello', hello });
}

test('a page that missed a reset starts again when it hears from the server', () => {
  greet('first');
  greet('first', 'restarted');
  expect(page.resets.value).toBe(0);
  greet('second');
  expect(page.resets.value).toBe(1);
  greet('second');
  expect(page.resets.value).toBe(1);
});

test('a page that has heard of a reset starts again only once', () => {
  greet('first');
  page.receive({ kind: 'changed', changed: { reset: true } });
  greet('second');
  expect(page.resets.value).toBe(1);
});
