import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tellAll } from '../../src/data/live.ts';
import { outage, reportAvailable, reportUnavailable, whileAvailable } from '../../src/data/outage.ts';

/** A query that is in view and fails until the server responds to it. */
function startCaller() {
  const caller = {
    shown: true,
    responds: false,
    tries: 0,
    isShown: () => caller.shown,
    ask() {
      caller.tries++;
      if (caller.responds) reportAvailable(caller);
      else reportUnavailable(caller);
    },
  };
  const end = whileAvailable((changed) => changed === 'anything' && caller.shown && caller.ask());
  return Object.assign(caller, { [Symbol.dispose]: end });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('fetch', async () => new Response());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a query that fails is repeated, although the server responds to others', async () => {
  using failing = startCaller();
  using other = startCaller();
  other.responds = true;
  failing.ask();
  other.ask();
  expect(outage.value).toMatchObject({ what: 'unavailable' });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(failing.tries).toBe(4);
  failing.responds = true;
  await vi.advanceTimersByTimeAsync(4_000);
  expect([failing.tries, outage.value]).toEqual([5, undefined]);
  // The outage is over, so nothing is tried any more.
  await vi.advanceTimersByTimeAsync(60_000);
  expect([failing.tries, vi.getTimerCount()]).toEqual([5, 0]);
});

test('a query that has left the screen does not prolong an outage', async () => {
  using failing = startCaller();
  failing.ask();
  failing.shown = false;
  expect(outage.value).toBeDefined();
  await vi.advanceTimersByTimeAsync(500);
  expect([failing.tries, outage.value, vi.getTimerCount()]).toEqual([1, undefined, 0]);
});

test('a server that is back after the stream was lost ends the outage of a screen that was left', () => {
  using failing = startCaller();
  failing.ask();
  failing.shown = false;
  tellAll('anything');
  expect(outage.value).toBeUndefined();
});
