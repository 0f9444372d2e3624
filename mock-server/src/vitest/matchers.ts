import { verifyWebhook } from '@svc/webhooks';
import type { ReceivedRequest, Receiver } from '../testing/receiver.ts';

/** A request with its raw body, which the request objects of the Fetch API and of Node do not keep. */
type SignedRequest = Pick<ReceivedRequest, 'headers' | 'body'>;

export const matchers = {
  toHaveDelivered(received: unknown, eventType: string, times?: number) {
    const { requests } = Object(received) as Receiver;
    if (!Array.isArray(requests)) throw wrongValue('toHaveDelivered', 'a receiver');
    const types = requests.map(typeOf);
    // All attempts of a delivery have the same `webhook-id`.
    const ids = new Set(
      requests.filter((_request, index) => types[index] === eventType).map(({ headers }) => headers['webhook-id']),
    );
    const pass = times === undefined ? ids.size > 0 : ids.size === times;
    const wanted = times === undefined ? 'at least one delivery' : times === 1 ? '1 delivery' : `${times} deliveries`;
    // If `pass` is true, Vitest shows the message only when `.not` fails, so the message says what `.not` expects.
    const expected = !pass ? wanted : times === undefined ? 'no deliveries' : `a number other than ${wanted}`;
    return {
      pass,
      message: () =>
        `expected ${expected} of ${eventType}, got ${ids.size}. The receiver has: ${types.join(', ') || 'no requests'}`,
    };
  },

  toBeSignedWith(received: unknown, given: string | { secret: string }) {
    const { headers, body } = Object(received) as SignedRequest;
    const secret = Object(given).secret ?? given;
    // Without these checks, `.not.toBeSignedWith` would pass for a Fetch API request or a string that is not a secret.
    if (!headers || typeof body !== 'string') throw wrongValue('toBeSignedWith', 'a received request');
    if (typeof secret !== 'string' || !secret.startsWith('whsec_')) {
      throw new TypeError(
        'toBeSignedWith requires a signing secret, which begins with whsec_. Pass the `secret` field of the endpoint.',
      );
    }
    const problem = signatureProblem({ headers, body }, secret);
    return {
      pass: problem === undefined,
      message: () =>
        problem === undefined
          ? 'expected the request not to be signed with this secret, but the signature is valid'
          : `expected the request to be signed with this secret: ${problem}`,
    };
  },
};

/** Ignores the age of the request. */
function signatureProblem({ headers, body }: SignedRequest, secret: string): string | undefined {
  const sentAt = Number(headers['webhook-timestamp']) * 1_000;
  try {
    verifyWebhook({ headers, body, secrets: secret, now: Number.isFinite(sentAt) ? sentAt : Date.now() });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function typeOf(request: ReceivedRequest): string {
  try {
    return String(Object(request.json()).type);
  } catch {
    return '(not JSON)';
  }
}

const wrongValue = (matcher: string, what: string) =>
  new TypeError(`${matcher} requires ${what} from @svc/mock-server/testing.`);
