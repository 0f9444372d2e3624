import {
  type AddedEvent,
  createWebhooks,
  type Delivery,
  type EndpointAutoDisabledEvent,
  type Event,
  type EventSubject,
  isKnownEvent,
  type KnownDelivery,
  type KnownEvent,
  type LifecycleEvaluatedEvent,
  type PingEvent,
  type UnknownDelivery,
  type UnknownEvent,
  type UntypedEvent,
  type WorkspaceSubject,
} from '@svc/webhooks';
import { signWebhook } from '@svc/webhooks/testing';

type Equal<A, B> = [A, B] extends [B, A] ? ([keyof A, keyof B] extends [keyof B, keyof A] ? true : false) : false;
/** Compiles only if the value has exactly this type. */
const exactly =
  <Wanted>() =>
  <Given>(_: Given, __: Equal<Given, Wanted>) => {};

const webhooks = createWebhooks({ secrets: 'whsec_x' });

// Comparing the type narrows the event, in `*` too.
webhooks.on('*', (event, delivery) => {
  exactly<Event>()(event, true);
  exactly<Delivery>()(delivery, true);
  if (event.type === 'lifecycle.evaluated') exactly<WorkspaceSubject>()(event.subject, true);
  if (event.type === 'webhook.ping') exactly<undefined>()(event.subject, true);
  switch (event.type) {
    case 'lifecycle.evaluated':
      return event.subject.url;
    case 'webhook.endpoint.auto_disabled':
      exactly<EventSubject | undefined>()(event.subject, true);
      // @ts-expect-error: the document does not show this subject, so it may be absent.
      return event.subject.url;
    case 'webhook.ping':
      return undefined;
    // Types that this version does not know, even if they start like a known one.
    case 'profile.created':
    case 'lifecycle.evaluation_failed':
      exactly<UnknownEvent>()(event, true);
      return event.subject?.url;
    default: {
      const type: string = event.type;
      return type;
    }
  }
});
const delivery = webhooks.verify({ body: '', headers: {} });
if (delivery.event.type === 'lifecycle.evaluated') exactly<LifecycleEvaluatedEvent>()(delivery.event, true);
if (delivery.known) exactly<KnownEvent>()(delivery.event, true);

// `Headers` is iterable. An object with only `get` is not enough.
declare const getter: { get(name: string): string | null };
declare const headers: { get(name: string): string | null; forEach(act: (value: string, name: string) => void): void };
webhooks.verify({ body: '', headers });
// @ts-expect-error: it only has `get`.
webhooks.verify({ body: '', headers: getter });

// The guard.
declare const event: Event;
declare const stored: UntypedEvent;
if (isKnownEvent(event)) exactly<KnownEvent>()(event, true);
if (isKnownEvent(stored) && stored.type === 'lifecycle.evaluated') exactly<WorkspaceSubject>()(stored.subject, true);
// @ts-expect-error: not an event.
isKnownEvent({ type: 'webhook.ping' });

// A pattern types the event and the delivery.
webhooks.on('lifecycle.evaluated', (given, of) => {
  exactly<LifecycleEvaluatedEvent>()(given, true);
  exactly<KnownDelivery<LifecycleEvaluatedEvent>>()(of, true);
});
webhooks.on('lifecycle.*', (given) => exactly<LifecycleEvaluatedEvent>()(given, true));
webhooks.on('webhook.*', (given) => exactly<EndpointAutoDisabledEvent | PingEvent>()(given, true));
webhooks.on('webhook.endpoint.*', (given) => exactly<EndpointAutoDisabledEvent>()(given, true));

// Several patterns, in an array of any kind.
webhooks.on(['lifecycle.evaluated', 'webhook.ping'], (given, of) => {
  exactly<LifecycleEvaluatedEvent | PingEvent>()(given, true);
  exactly<KnownDelivery<LifecycleEvaluatedEvent | PingEvent>>()(of, true);
});
webhooks.on(['lifecycle.*', 'webhook.endpoint.auto_disabled'], (given) => {
  exactly<LifecycleEvaluatedEvent | EndpointAutoDisabledEvent>()(given, true);
});
webhooks.on(['*', 'webhook.ping'], (given) => exactly<Event>()(given, true));
const both = ['lifecycle.evaluated', 'webhook.ping'] as const;
webhooks.on(both, (given) => exactly<LifecycleEvaluatedEvent | PingEvent>()(given, true));
const list: ('lifecycle.evaluated' | 'webhook.ping')[] = ['webhook.ping'];
webhooks.on(list, (given) => exactly<LifecycleEvaluatedEvent | PingEvent>()(given, true));

// A pattern from a configuration may be any string.
declare const configured: string;
webhooks.on(configured, (given) => exactly<Event>()(given, true));
webhooks.on([configured], (given) => exactly<Event>()(given, true));

// Patterns of events that this version does not know.
webhooks.on('profile.created', (given, of) => {
  exactly<UnknownEvent>()(given, true);
  exactly<UnknownDelivery<UnknownEvent>>()(of, true);
});
webhooks.on('profile.*', (given) => exactly<UnknownEvent>()(given, true));
webhooks.on(['webhook.ping', 'profile.created'], (given) => exactly<PingEvent | UnknownEvent>()(given, true));

// Texts that can never match.
// @ts-expect-error: a glob ends in `.*`.
webhooks.on('lifecycle*', () => {});
// @ts-expect-error: a glob ends in `.*`, among others.
webhooks.on(['webhook.ping', 'lifecycle.*.done'], () => {});
// @ts-expect-error: not a pattern.
webhooks.on('', () => {});
// @ts-expect-error: not a handler.
webhooks.on('webhook.ping', undefined);

// Events that this version does not know.
createWebhooks({
  secrets: 'whsec_x',
  onUnknown: (given) => {
    exactly<UnknownDelivery>()(given, true);
    exactly<UnknownEvent | AddedEvent>()(given.event, true);
    const type: string = given.event.type;
    return type;
  },
});

// A test may sign an event of any type.
signWebhook({ secrets: 'whsec_x', event: { id: 'evt_1', type: 'invoice.paid', created: '2026-01-01T00:00:00.000Z' } });
