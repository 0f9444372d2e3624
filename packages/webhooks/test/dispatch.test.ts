import {
  createWebhooks,
  type Delivery,
  type Event,
  type KnownDelivery,
  type KnownEvent,
  type LifecycleEvaluatedEvent,
  type PingEvent,
} from '@svc/webhooks';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { EVALUATED, NOW_MS, PING, SECRET, signedMessage } from './support/message.ts';

const unknown = PING.replace('webhook.ping', 'lifecycle.started');

/** A receiver, and the events that its handlers got, by pattern. */
function recording(...patterns: string[]) {
  const seen: string[] = [];
  const webhooks = createWebhooks({ secrets: SECRET, now: NOW_MS, onUnknown: () => seen.push('onUnknown') });
  for (const pattern of patterns) webhooks.on(pattern, () => seen.push(pattern));
  const dispatch = (body: string) => webhooks.dispatch(webhooks.verify(signedMessage({ body })));
  return { webhooks, seen, dispatch };
}

describe('dispatch', () => {
  it('runs the handlers whose pattern matches the event, in order of registration', async () => {
    const { seen, dispatch } = recording(
      '*',
      'webhook.ping',
      'lifecycle.*',
      'lifecycle.evaluated',
      'webhook.*',
      'webhook.endpoint.*',
    );
    expect(await dispatch(EVALUATED)).toBe('handled');
    expect(seen.splice(0)).toEqual(['*', 'lifecycle.*', 'lifecycle.evaluated']);
    expect(await dispatch(PING)).toBe('handled');
    expect(seen).toEqual(['*', 'webhook.ping', 'webhook.*']);
  });

  it('runs a handler with several patterns once for each event that matches any of them', async () => {
    const { webhooks, seen, dispatch } = recording();
    webhooks.on(['lifecycle.evaluated', 'lifecycle.*', 'webhook.ping'], (event) => seen.push(event.type));
    for (const body of [EVALUATED, PING]) expect(await dispatch(body)).toBe('handled');
    expect(await dispatch(unknown)).toBe('handled');
    expect(seen).toEqual(['lifecycle.evaluated', 'webhook.ping', 'onUnknown']);
  });

  it('removes a handler with several patterns from all of them', async () => {
    const { webhooks, dispatch } = recording();
    webhooks.on(['lifecycle.evaluated', 'webhook.ping'], () => expect.unreachable())();
    for (const body of [EVALUATED, PING]) expect(await dispatch(body)).toBe('unhandled');
  });

  it('waits for a handler before it runs the next', async () => {
    const { webhooks, seen, dispatch } = recording();
    webhooks.on('webhook.ping', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push('slow');
    });
    webhooks.on('webhook.ping', () => seen.push('quick'));
    await dispatch(PING);
    expect(seen).toEqual(['slow', 'quick']);
  });

  it('reports if an event has no handler', async () => {
    expect(await recording('lifecycle.*').dispatch(PING)).toBe('unhandled');
  });

  it('passes an unknown event to onUnknown, and not to globs over known events', async () => {
    const { seen, dispatch } = recording('lifecycle.*', 'lifecycle.evaluated');
    expect(await dispatch(unknown)).toBe('handled');
    expect(seen).toEqual(['onUnknown']);
  });

  it('passes an unknown event to handlers that name its type, and to *', async () => {
    const { seen, dispatch } = recording('lifecycle.started', '*', 'lifecycle.*');
    expect(await dispatch(unknown)).toBe('handled');
    expect(seen).toEqual(['lifecycle.started', '*']);
  });

  it('passes an event of an unknown family to a glob over that family', async () => {
    const { seen, dispatch } = recording('profile.*');
    await dispatch(PING.replace('webhook.ping', 'profile.merged'));
    expect(seen).toEqual(['profile.*']);
  });

  it.each([
    [
      'of the type webhook.endpoint',
      { subject: { id: 'whe_1', type: 'webhook.endpoint', url: '/v1/endpoints/whe_1' } },
    ],
    ['without fields', { subject: {} }],
    ['that is null', { subject: null }],
    ['that is absent', {}],
  ])('dispatches webhook.endpoint.auto_disabled with a subject %s', async (_, fields) => {
    const body = JSON.stringify({ ...JSON.parse(PING), type: 'webhook.endpoint.auto_disabled', ...fields });
    const { seen, dispatch } = recording('webhook.endpoint.auto_disabled', 'webhook.*', 'lifecycle.*');
    expect(await dispatch(body)).toBe('handled');
    expect(seen).toEqual(['webhook.endpoint.auto_disabled', 'webhook.*']);
  });

  it('dispatches an event of the catalog by its type alone', async () => {
    const { seen, dispatch } = recording('lifecycle.evaluated', 'lifecycle.*', 'webhook.*');
    expect(await dispatch(EVALUATED.replace('"workspace"', '"galaxy"').replace('evt_2', 'event-2'))).toBe('handled');
    expect(seen).toEqual(['lifecycle.evaluated', 'lifecycle.*']);
  });

  it('logs an event of a type from the future to the console if it is kept from a glob over known types, unless onUnknown is set', async () => {
    const body = unknown;
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const webhooks = createWebhooks({ secrets: SECRET, now: NOW_MS });
    const delivery = webhooks.verify(signedMessage({ body }));
    expect(await webhooks.dispatch(delivery)).toBe('unhandled');
    expect(warn).not.toHaveBeenCalled();
    webhooks.on('lifecycle.*', () => expect.unreachable());
    expect(await webhooks.dispatch(delivery)).toBe('unhandled');
    expect(warn.mock.calls).toEqual([[expect.stringContaining('onUnknown'), delivery.event]]);
    const { seen, dispatch } = recording('lifecycle.*');
    await dispatch(body);
    expect([seen, warn.mock.calls.length]).toEqual([['onUnknown'], 1]);
    warn.mockRestore();
  });

  it('rejects with the error that a handler throws, and runs no more handlers', async () => {
    const { webhooks, seen, dispatch } = recording();
    webhooks.on('*', () => {
      throw new RangeError('full');
    });
    webhooks.on('*', () => seen.push('later'));
    await expect(dispatch(PING)).rejects.toThrow(RangeError);
    expect(seen).toEqual([]);
  });

  it('does not run a handler that was removed', async () => {
    const { webhooks, seen, dispatch } = recording();
    const off = webhooks.on('*', () => seen.push('*'));
    off();
    expect(await dispatch(PING)).toBe('unhandled');
  });
});

describe('on', () => {
  it('types the event by the pattern', () => {
    const { webhooks } = recording();
    webhooks.on('lifecycle.evaluated', (event, delivery) => {
      expectTypeOf(event).toEqualTypeOf<LifecycleEvaluatedEvent>();
      expectTypeOf(delivery).toEqualTypeOf<KnownDelivery<LifecycleEvaluatedEvent>>();
    });
    webhooks.on('lifecycle.*', (event) => expectTypeOf(event).toEqualTypeOf<LifecycleEvaluatedEvent>());
    webhooks.on('webhook.*', (event) =>
      expectTypeOf(event).toEqualTypeOf<Exclude<KnownEvent, LifecycleEvaluatedEvent>>(),
    );
    webhooks.on('webhook.ping', (event) => expectTypeOf(event).toEqualTypeOf<PingEvent>());
    webhooks.on('*', (event, delivery) => {
      expectTypeOf(event).toEqualTypeOf<Event>();
      expectTypeOf(delivery).toEqualTypeOf<Delivery>();
    });
  });
});
