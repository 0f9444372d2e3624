import type { createWebhooks, verifyWebhook, WebhookError } from '@svc/webhooks';

/** One message and its expected outcomes. */
export interface Vector {
  name: string;
  secrets: string[];
  nowMs: number;
  headers: Record<string, string | string[]>;
  body: { base64: string } | { repeat: string; count: number };
  /** The outcome of `verifySignature`: `accepted`, or an error code. */
  signature: string;
  /** The outcome in the build that hashes text, if it differs. */
  portable?: string;
  secretIndex?: number;
  /** The outcome of `verify` after the signature is verified: `event`, or an error code. */
  content?: string;
}

interface Library {
  createWebhooks: typeof createWebhooks;
  verifyWebhook: typeof verifyWebhook;
  WebhookError: typeof WebhookError;
}

/** The result of checking vectors. */
export interface VectorReport {
  build: 'node' | 'portable';
  checked: number;
  /** A line for each wrong outcome: the vector, the question, the expected and the actual outcome. */
  wrong: string[];
}

/**
 * Checks every vector, as bytes and as text, and lists the wrong outcomes. It runs in every runtime: it imports no
 * code.
 */
export function checkVectors(vectors: readonly Vector[], library: Library): VectorReport {
  const report: VectorReport = { build: buildOf(library), checked: 0, wrong: [] };
  for (const vector of vectors) {
    const signature = (report.build === 'portable' && vector.portable) || vector.signature;
    const content = signature === 'accepted' ? `${vector.content}` : signature;
    const options = { secrets: vector.secrets, now: vector.nowMs };
    const bytes = bodyOf(vector);
    for (const [form, body] of [['bytes', bytes] as const, ['text', textOf(bytes)] as const]) {
      if (body === undefined) continue;
      const message = { headers: vector.headers, body };
      const asked: Record<string, [expected: string, came: string]> = {
        verifySignature: [
          signature === 'accepted' ? `secret ${vector.secretIndex}` : signature,
          outcomeOf(library, () => `secret ${library.createWebhooks(options).verifySignature(message).secretIndex}`),
        ],
        verify: [content, outcomeOf(library, () => library.createWebhooks(options).verify(message) && 'event')],
        verifyWebhook: [
          content,
          outcomeOf(library, () => library.verifyWebhook({ ...options, ...message }) && 'event'),
        ],
      };
      for (const [question, [expected, came]] of Object.entries(asked)) {
        report.checked += 1;
        if (came !== expected)
          report.wrong.push(`${vector.name}: ${question} of ${form}: expected ${expected}, came ${came}`);
      }
    }
  }
  return report;
}

function outcomeOf(library: Library, act: () => string): string {
  try {
    return act();
  } catch (error) {
    return library.WebhookError.is(error) ? error.code : `${error}`;
  }
}

function bodyOf({ body }: Vector): Uint8Array {
  if ('repeat' in body) return new TextEncoder().encode(body.repeat.repeat(body.count));
  return Uint8Array.from(atob(body.base64), (character) => character.charCodeAt(0));
}

/** The body as text, or undefined if it is not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The number of outcomes to check: three for each vector, as bytes and, if it is UTF-8, as text. */
export function countChecks(vectors: readonly Vector[]): number {
  return vectors.reduce((count, vector) => count + (textOf(bodyOf(vector)) === undefined ? 3 : 6), 0);
}

/** The build that this runtime chose: the portable one cannot authenticate bytes that are not text. */
function buildOf(library: Library): 'node' | 'portable' {
  const secrets = `whsec_${'A'.repeat(32)}`;
  const headers = { 'webhook-id': 'a', 'webhook-timestamp': '0', 'webhook-signature': `v1,${'A'.repeat(43)}=` };
  const body = new Uint8Array([0xff]);
  const outcome = outcomeOf(library, () => library.verifyWebhook({ secrets, headers, body, now: 0 }).id);
  return outcome === 'no_match' ? 'node' : 'portable';
}
