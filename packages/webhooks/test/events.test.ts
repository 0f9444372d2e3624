import type * as contract from '@svc/contract';
import { EVENT_CATALOG } from '@svc/contract';
import { type EventType, isKnownEvent, type KnownEvent, type LifecycleEvaluatedEvent } from '@svc/webhooks';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { SUBJECTS } from '../src/events.ts';
import { EVALUATED, PING, signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';

describe('the types of events', () => {
  it("are the contract's", () => {
    expectTypeOf<EventType>().toEqualTypeOf<contract.EventType>();
    expectTypeOf<KnownEvent>().toExtend<contract.Event>();
    expectTypeOf<contract.WorkspaceSubject>().toEqualTypeOf<LifecycleEvaluatedEvent['subject']>();
    expect(Object.keys(SUBJECTS).sort()).toEqual(EVENT_CATALOG.map((item) => item.type).sort());
  });

  it('are told apart by known and by type', () => {
    const delivery = webhooks.verify(signedMessage({ body: EVALUATED }));
    if (!delivery.known) throw new Error('expected a known event');
    expectTypeOf(delivery.event).toEqualTypeOf<KnownEvent>();
    if (delivery.event.type !== 'lifecycle.evaluated') throw new Error('expected an evaluation');
    expectTypeOf(delivery.event.subject.type).toEqualTypeOf<'workspace'>();
    expect(delivery.event.subject.id).toBe('wsp_1');
  });

  it('of a ping has no subject', () => {
    const { event } = webhooks.verify(signedMessage({ body: PING }));
    expect(event.subject).toBeUndefined();
  });

  it('can be checked for an event that came by another way', () => {
    const evaluated = JSON.parse(EVALUATED);
    expect(isKnownEvent(evaluated)).toBe(true);
    expect(isKnownEvent(JSON.parse(PING))).toBe(true);
    expect(isKnownEvent({ ...evaluated, type: 'lifecycle.started' })).toBe(false);
    expect(isKnownEvent({ ...evaluated, subject: { ...evaluated.subject, type: 'galaxy' } })).toBe(false);
    expect(isKnownEvent({ ...evaluated, subject: undefined })).toBe(false);
  });
});
