import { EVENT_CATALOG, type EventType } from '../event-catalog.ts';
import { WEBHOOK_HEADERS } from '../headers.ts';
import { DELIVERY_ATTEMPTS_MAX, DELIVERY_TIMEOUT_MS, TIMESTAMP_TOLERANCE_SECONDS } from '../limits.ts';
import { type SignedRequest, signedRequests } from './examples/deliveries.ts';
import { type JsonSchema, referenceTo } from './json-schema.ts';
import { PAYLOAD_NAMES } from './payloads.ts';

/** Describes the payload and the headers of deliveries for each event type. */
export const describeWebhooks = (): Record<string, unknown> =>
  Object.fromEntries(
    EVENT_CATALOG.map(({ type, description }) => [type, { post: describeWebhook(type, description) }]),
  );

function describeWebhook(type: EventType, about: string): Record<string, unknown> {
  const name = PAYLOAD_NAMES[type];
  const request = signedRequests[type];
  return {
    operationId: `receive${name}`,
    summary: `Receive \`${type}\``,
    description: `${about} ${RECIPIENTS[type] ?? 'Sent to every active endpoint of the workspace that subscribes to this event type.'}`,
    tags: ['Events'],
    // A delivery has a signature instead of a credential.
    security: [],
    parameters: headerParameters(request),
    requestBody: {
      description: 'The event. Verify the signature of the raw bytes before you parse them.',
      required: true,
      content: {
        'application/json': {
          schema: { $ref: referenceTo(name) },
          examples: { example: { summary: 'The body that the sample headers sign.', value: request.payload } },
        },
      },
    },
    responses: {
      '2XX': { description: 'The receiver accepts the event. The delivery succeeds.' },
      default: {
        description: `With any other status, the attempt fails. The attempt also fails if there is no response within ${DELIVERY_TIMEOUT_MS / 1000} seconds. There are at most ${DELIVERY_ATTEMPTS_MAX} attempts.`,
      },
    },
  };
}

const RECIPIENTS: Readonly<Partial<Record<EventType, string>>> = {
  'webhook.ping':
    "Sent only to the endpoint that was chosen for the test event, regardless of the endpoint's subscriptions.",
};

const BASE64 = '[A-Za-z0-9+/]{43}=';

/**
 * The headers of a delivery, except the headers that every request has (such as `Host`), and except `Content-Type`,
 * because OpenAPI ignores a parameter with this name.
 */
const HEADERS: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  [WEBHOOK_HEADERS.id]: {
    description: 'The id of the delivery. All attempts of a delivery have this id, so use it to detect duplicates.',
    schema: { type: 'string', pattern: '^whd_' },
  },
  [WEBHOOK_HEADERS.timestamp]: {
    description: `The time when the signature was computed, in whole seconds since 1970. Reject the delivery if this time differs from your clock by more than ${TIMESTAMP_TOLERANCE_SECONDS / 60} minutes.`,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  [WEBHOOK_HEADERS.signature]: {
    description:
      'Signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is the secret without `whsec_`, decoded from base64url. Accept the delivery if at least one signature matches. There is one signature for each valid secret, so a delivery has several signatures after a rotation.',
    schema: { type: 'string', pattern: `^v1,${BASE64}(?: v1,${BASE64})*$` },
  },
  'user-agent': {
    description: 'The name of the sender. The service document does not show this header.',
    schema: { type: 'string' },
  },
};

const headerParameters = ({ headers }: SignedRequest) =>
  Object.entries(HEADERS).map(([name, { description, schema }]) => ({
    name,
    in: 'header',
    required: name !== 'user-agent',
    description,
    schema,
    example: headers[name],
  }));
