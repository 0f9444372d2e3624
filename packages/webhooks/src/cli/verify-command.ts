import { WebhookError } from '../error.ts';
import { readHeaders } from '../headers.ts';
import { verifyWebhook } from '../verify-webhook.ts';
import { type CapturedRequest, parseCapturedRequest, parseHeaderLines } from './captured-request.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { type CommandLine, secretsOrThrow } from './line.ts';
import { print, visibleLine } from './print.ts';
import { readInput } from './read-input.ts';
import { toSeconds } from './signed-message.ts';
import { UsageError } from './usage-error.ts';

/** `svc-webhooks verify`: verifies a captured request and explains a failure. */
export async function verify(line: CommandLine): Promise<number> {
  const secrets = [secretsOrThrow(line)].flat();
  const request = await readRequest(line);
  const [id = '', timestamp = '', signatures = ''] = readHeaders(request.headers, [
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  const now = clockOf(line.at, timestamp);
  if (request.reserialised) say('The file does not have the raw body, so it was made from the JSON value.');
  try {
    const { secretIndex, event, known } = verifyWebhook({ secrets, ...request, now });
    say(
      `Verified by secret ${secretIndex + 1} of ${secrets.length}: ${event.type}${known ? '' : ' (not in the catalog)'}, event ${event.id}`,
    );
    return 0;
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    say(`Refused: ${error.message}`);
    if (error.code === 'no_match') {
      const body = Buffer.from(request.body);
      const cause = explainMismatch({ id, timestamp, signatures, body, secrets });
      say(cause ? `It would match if: ${cause}.` : NOTHING_FOUND);
    }
    if (error.skewSeconds !== undefined) say(describeAge(error.skewSeconds));
    if (error.authenticated) say('The signature matches: the service, or somebody with the secret, sent exactly this.');
    return 1;
  }
}

const NOTHING_FOUND =
  'No common change of body or key explains it. Most likely the secret belongs to another endpoint, or was replaced by a rotation.';

function describeAge(skewSeconds: number): string {
  const side = skewSeconds < 0 ? 'old' : 'ahead of the clock';
  return `The request is ${Math.abs(skewSeconds)} s ${side}. To check only the signature, use --at request.`;
}

/**
 * The time of the check, in milliseconds. If it should come from the request, and the request has no valid one, this is the
 * current time. Verification then says what is wrong.
 */
function clockOf(at: string | undefined, timestamp: string): number {
  if (at === undefined || (at === 'request' && !/^\d{1,15}$/.test(timestamp))) return Date.now();
  return toSeconds(at === 'request' ? timestamp : at) * 1000;
}

async function readRequest(line: CommandLine): Promise<CapturedRequest> {
  if (line.headers.length > 0) {
    if (line.argument !== undefined)
      throw new UsageError('With --header, the body comes from --body, not from a file.', 'verify');
    return { headers: parseHeaderLines(line.headers), body: await readInput(line.body ?? '-'), reserialised: false };
  }
  if (line.body !== undefined) throw new UsageError('--body requires --header.', 'verify');
  const bytes = await readInput(line.argument ?? '-');
  if (bytes.length === 0) throw new UsageError('The request is empty.', 'verify');
  return parseCapturedRequest(bytes);
}

function say(text: string): void {
  print(`${visibleLine(text)}\n`);
}
