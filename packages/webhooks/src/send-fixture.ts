import { completePlatform } from './complete-platform.ts';
import { checkNames, checkOption } from './option-checks.ts';
import type { FetchRequest, FetchResponse } from './platform.ts';
import { signWebhook } from './sign-webhook.ts';
import type { Secrets } from './signers.ts';

/** A recorded delivery, in the form that `svc-mock listen --live --save <folder>` writes. */
export interface WebhookFixture {
  /** The URL to which the delivery was sent. */
  url: string;
  headers: { readonly [name: string]: string };
  /** The raw body. */
  body: string;
}

/** The receiver of a fixture: a URL, or a function such as `webhooks.fetch` or a route's `POST`. */
export type FixtureReceiver = string | FixtureUrl | ((request: FetchRequest) => FetchResponse | Promise<FetchResponse>);

/** An object with a URL in `href`, such as an instance of `URL`. */
export interface FixtureUrl {
  readonly href: string;
}

/** Options for {@link sendFixture}. */
export interface SendFixtureOptions {
  /**
   * The secret that signs the delivery again, at the current time. Without a secret, the delivery is sent as it was
   * recorded.
   */
  secret?: Secrets | undefined;
}

/** Connection headers, which are left out because `fetch` sets them itself. */
const OF_CONNECTION =
  /^(?:host|connection|content-length|transfer-encoding|expect|keep-alive|te|upgrade|accept-encoding)$/i;

/**
 * Sends a recorded delivery again, and returns the response. Pass the path of the delivery's JSON file, or the parsed
 * object. Without `secret`, the recorded signature is sent. A receiver accepts this signature for five minutes after
 * the recording. If the receiver's option `now` is set to the recorded time, the receiver accepts the signature at any
 * time.
 *
 * Throws `TypeError` if the file is not a fixture, if the receiver is missing, or if an option does not exist. Throws
 * `WebhookError` if the secret is invalid. Reading a file requires Node.
 *
 * {@includeCode ../test/documented/send-fixture.ts#fixture}
 */
export async function sendFixture(
  file: string | FixtureUrl | WebhookFixture,
  to: FixtureReceiver,
  options: SendFixtureOptions = {},
): Promise<FetchResponse> {
  checkOption(to, 'Pass the receiver: a URL, or a function such as webhooks.fetch');
  checkNames(options, ['secret']);
  const { secret } = options;
  const { url, headers, body } = readFixture(file);
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name)));
  const init = { method: 'POST', headers: secret === undefined ? kept : resign(kept, body, secret), body };
  const { Request, fetch } = completePlatform();
  return typeof to === 'function' ? to(new Request(url, init)) : fetch(typeof to === 'string' ? to : to.href, init);
}

function readFixture(file: string | FixtureUrl | WebhookFixture): WebhookFixture {
  const isFile = typeof file === 'string' || 'href' in Object(file);
  const fixture: WebhookFixture = isFile
    ? JSON.parse(process.getBuiltinModule('node:fs').readFileSync(file as string | URL, 'utf8'))
    : (file as WebhookFixture);
  const { url, headers, body } = Object(fixture);
  if (typeof url === 'string' && typeof headers === 'object' && headers && typeof body === 'string') return fixture;
  throw new TypeError(`${isFile ? file : 'The fixture'} must be { url, headers, body }, with the raw body as a string`);
}

/**
 * Replaces the signature and its timestamp. The id does not change, so that a receiver that deduplicates recognizes the
 * delivery.
 */
function resign(headers: WebhookFixture['headers'], body: string, secrets: Secrets): WebhookFixture['headers'] {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { ...lower, ...signWebhook({ secrets, body, id: lower['webhook-id'] }).headers };
}
