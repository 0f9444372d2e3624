export type { WebhookBody } from './body.ts';
export { type CheckResult, createWebhooks, type Webhooks, type WebhooksOptions } from './create-webhooks.ts';
export type { ClaimResult, DedupeClaim, DedupeOptions, DedupeStore } from './dedupe.ts';
export type { Delivery, DeliveryBase, KnownDelivery, UnknownDelivery, VerifiedSignature } from './delivery.ts';
export type { DeliveryOf, Dispatcher, DispatchOptions, DispatchOutcome, EventHandler } from './dispatcher.ts';
export { WebhookError, type WebhookErrorCode, type WebhookErrorDetails } from './error.ts';
export {
  type AddedEvent,
  type EndpointAutoDisabledEvent,
  type Event,
  type EventEnvelope,
  type EventSubject,
  type EventType,
  isKnownEvent,
  type KnownEnvelope,
  type KnownEvent,
  type LifecycleEvaluatedEvent,
  type PingEvent,
  type Timestamp,
  type UnknownEvent,
  type UntypedEvent,
  type WorkspaceSubject,
} from './events.ts';
export type { HeadersGetter, HeadersObject, HeaderValues, WebhookHeaders } from './headers.ts';
export type { VerificationLimits } from './limits.ts';
export { type MemoryDedupe, type MemoryDedupeOptions, memoryDedupe } from './memory-dedupe.ts';
export type { NodeRequest } from './node-request.ts';
export type { OtherThan } from './other-than.ts';
export type {
  EventOf,
  EventPattern,
  KnownEventOf,
  OtherEventOf,
  PatternIn,
  PatternParameter,
  PrefixGlob,
} from './pattern.ts';
export type { FetchRequest, FetchResponse } from './platform.ts';
export type { BufferedRequest, RequestLimits, WebhookRequest } from './request.ts';
export type { ExecutionContext, ResponseOptions, WebhookResponse } from './response.ts';
export { parseSecret } from './secret.ts';
export type { SecretRequest, SecretSource } from './secret-source.ts';
export type { Secrets } from './signers.ts';
export type { WebhookMessage } from './verify-message.ts';
export { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts';
