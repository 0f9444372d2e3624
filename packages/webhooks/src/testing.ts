/**
 * Functions that sign messages as the service does, for tests of a receiver. Do not use them in production, because a
 * receiver never signs messages.
 */
export { generateSecret } from './generate-secret.ts';
export { type SampleEvent, sampleEvent } from './sample-event.ts';
export {
  type FixtureReceiver,
  type FixtureUrl,
  type SendFixtureOptions,
  sendFixture,
  type WebhookFixture,
} from './send-fixture.ts';
export { type SignedWebhook, type SignWebhookOptions, signWebhook } from './sign-webhook.ts';
