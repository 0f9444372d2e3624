import type * as contract from '@svc/contract';
import { EVENT_CATALOG } from '@svc/contract';
import {
  type EventType,
  isKnownEvent,
  type KnownEvent,
  type LifecycleEvaluatedEvent,
  type OtherThan,
} from '@svc/webhooks';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { EVENT_TYPES } from '../src/events.ts';
import { EVALUATED, PING, signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';

describe('the types of events', () => {
  it('are those of the contract', () => {
    expectTypeOf<EventType>().toEqualTypeOf<contract.EventType>();
    expectTypeOf<KnownEvent>().toExtend<contract.Event>();
    expectTypeOf<OtherThan<EventType>>().toEqualTypeOf<contract.OtherThan<EventType>>();
    expectTypeOf<contract.WorkspaceSubject>().toEqualTypeOf<LifecycleEvaluatedEvent['subject']>();
    expect(EVENT_TYPES).toEqual(EVENT_CATALOG.map((item) => item.type));
  });

  it('narrow by known and by type', () => {
    const delivery = webhooks.verify(signedMessage({ body: EVALUATED }));
    if (!delivery.known) throw new Error('expected a known event');
    expectTypeOf(delivery.event).toEqualTypeOf<KnownEvent>();
    if (delivery.event.type !== 'lifecycle.evaluated') throw new Error('expected an evaluation');
    expectTypeOf(delivery.event.subject.type).toEqualTypeOf<'workspace'>();
    expect(delivery.event.subject.id).toBe('wsp_1');
  });

  it('have no subject for a ping', () => {
    const { event } = webhooks.verify(signedMessage({ body: PING }));
    expect(event.subject).toBeUndefined();
  });

  it('can be checked for an event from another source', () => {
    const evaluated = JSON.parse(EVALUATED);
    expect(isKnownEvent(evaluated)).toBe(true);
    expect(isKnownEvent(JSON.parse(PING))).toBe(true);
    expect(isKnownEvent({ ...evaluated, type: 'lifecycle.started' })).toBe(false);
    expect(isKnownEvent({ ...evaluated, type: 'constructor' })).toBe(false);
    expect(isKnownEvent({ ...evaluated, subject: undefined })).toBe(true);
  });
});
