/** Signs messages as the service does, for the tests of a receiver. Not for production: a receiver never signs. */
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
