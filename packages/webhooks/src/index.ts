export type { WebhookBody } from './body.ts';
export { type CheckResult, createWebhooks, type Webhooks, type WebhooksOptions } from './create-webhooks.ts';
export type { Delivery, KnownDelivery, UnknownDelivery, VerifiedSignature } from './delivery.ts';
export { WebhookError, type WebhookErrorCode, type WebhookErrorDetails } from './error.ts';
export type {
  EndpointAutoDisabledEvent,
  Event,
  EventSubject,
  EventType,
  KnownEvent,
  LifecycleEvaluatedEvent,
  PingEvent,
  Timestamp,
  UnknownEvent,
  WebhookEndpointSubject,
  WorkspaceSubject,
} from './events.ts';
export type { WebhookHeaders } from './headers.ts';
export type { VerificationLimits, WebhookMessage } from './message.ts';
export type { NodeRequest } from './node-body.ts';
export type { BufferedRequest, RequestLimits, WebhookRequest } from './request.ts';
export type { SecretSource } from './secret-source.ts';
export type { Secrets } from './signers.ts';
export { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts';
