import type { Event, KnownEvent } from '@svc/webhooks';
import { eventSchema, knownEventSchema } from '@svc/webhooks/schemas';
import { sampleEvent } from '@svc/webhooks/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';

const ping = sampleEvent('webhook.ping');

describe('the schemas', () => {
  it('have the types that the package exports', () => {
    expectTypeOf<z.infer<typeof eventSchema>>().toEqualTypeOf<Event>();
    expectTypeOf<z.infer<typeof knownEventSchema>>().toEqualTypeOf<KnownEvent>();
  });

  it.each(['lifecycle.evaluated', 'webhook.endpoint.auto_disabled', 'webhook.ping'] as const)('accept %s', (type) => {
    const event = { ...sampleEvent(type), added: 1 };
    expect(knownEventSchema.parse(event)).toEqual(event);
  });

  it('accept webhook.endpoint.auto_disabled with any subject, and without one', () => {
    const { subject, ...event } = sampleEvent('webhook.endpoint.auto_disabled');
    const other = { ...event, subject: { id: 'end_1', type: 'webhook.endpoint', url: '/v1/endpoints/end_1' } };
    for (const given of [event, other]) expect(knownEventSchema.parse(given)).toEqual(given);
    expect(knownEventSchema.safeParse({ ...event, subject: subject?.id }).success).toBe(false);
  });

  it('accept an event of a future type, as an unknown event', () => {
    const event = {
      ...ping,
      type: 'profile.merged',
      subject: { id: 'prf_1', type: 'profile', url: '/v1/profiles/prf_1' },
    };
    expect(eventSchema.parse(event)).toEqual(event);
    expect(knownEventSchema.safeParse(event).success).toBe(false);
    for (const other of [{ id: 'msg_1' }, { created: 'yesterday' }]) {
      expect(eventSchema.safeParse({ ...ping, ...other }).success).toBe(true);
      expect(knownEventSchema.safeParse({ ...ping, ...other }).success).toBe(false);
    }
  });

  it.each([
    { created: '2026-03-01T09:30:00Z' },
    { created: '2026-03-01T09:30:00.123456789Z' },
    { created: '2026-03-01T09:30:00+00:00' },
    { id: 'evt_x, y' },
  ])('accept a known event with %j', (fields) => {
    expect(knownEventSchema.parse({ ...ping, ...fields })).toEqual({ ...ping, ...fields });
  });

  it.each([
    { created: '2026-03-01T09:30:00+02:00' },
    { created: '2026-03-01T09:30:00' },
    { created: '2026-02-30T09:30:00Z' },
    { id: 'evt_' },
  ])('refuse a known event with %j', (fields) => {
    expect(knownEventSchema.safeParse({ ...ping, ...fields }).success).toBe(false);
  });

  it.each([{ id: 1 }, { created: 5 }, { type: undefined }, { subject: 'wsp_1' }])('refuse %j', (fields) => {
    expect(eventSchema.safeParse({ ...ping, ...fields }).success).toBe(false);
  });
});
