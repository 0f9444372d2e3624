import { expect, test } from 'vitest';
import { createChangeStream } from '../../../src/runtime/change-stream.ts';

const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => `whd_${from + index}`);

test('changes are merged until they are taken', async () => {
  const changes = createChangeStream(false);
  using listener = changes.listen();
  changes.mark({ deliveries: ['whd_1', 'whd_2'], endpoints: ['whe_1'], events: 2 });
  changes.mark({ deliveries: ['whd_2'], endpoints: ['whe_1'], events: 1, faults: true });
  expect(await listener.wait()).toBe(true);
  expect(listener.take()).toEqual({
    deliveries: { ids: ['whd_1', 'whd_2'], count: 3 },
    endpoints: ['whe_1'],
    events: 3,
    faults: true,
  });
  expect(listener.take()).toEqual({});
});

test('up to 100 ids are listed, and more are only counted', () => {
  const changes = createChangeStream(false);
  using listener = changes.listen();
  changes.mark({ deliveries: ids(0, 60) });
  changes.mark({ deliveries: ids(60, 40) });
  expect(listener.take().deliveries).toEqual({ ids: ids(0, 100), count: 100 });
  changes.mark({ deliveries: ids(0, 100) });
  changes.mark({ deliveries: ['whd_more'] });
  changes.mark({ deliveries: ['whd_more'] });
  expect(listener.take().deliveries).toEqual({ ids: null, count: 102 });
  changes.mark({ deliveries: 'many' });
  expect(listener.take().deliveries).toEqual({ ids: null, count: 0 });
});

test('closing ends every wait, of current and of later listeners', async () => {
  const changes = createChangeStream(false);
  using listener = changes.listen();
  const waiting = listener.wait();
  changes.close();
  expect(await waiting).toBe(false);
  using late = changes.listen();
  expect(await late.wait()).toBe(false);
});

test('a listener that was disposed gets no more changes', () => {
  const changes = createChangeStream(false);
  const listener = changes.listen();
  listener[Symbol.dispose]();
  changes.mark({ events: 1 });
  expect(listener.take()).toEqual({});
});
