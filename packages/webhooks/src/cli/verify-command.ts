import { WebhookError } from '../error.ts';
import { readHeaders } from '../headers.ts';
import { verifyWebhook } from '../verify-webhook.ts';
import { type CapturedRequest, parseCapturedRequest, parseHeaderLines } from './captured-request.ts';
import { type CommandLine, secretsOrThrow } from './command-line.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { readInput, toSeconds } from './signed-message.ts';

/** `svc-webhooks verify`: verifies a captured request, and explains why it fails. */
export async function verify(line: CommandLine): Promise<number> {
  const secrets = [secretsOrThrow(line)].flat();
  const request = readRequest(line);
  const [id = '', timestamp = '', signatures = ''] = readHeaders(request.headers, [
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  const now = line.at === undefined ? Date.now() : toSeconds(line.at === 'request' ? timestamp : line.at) * 1000;
  if (request.reserialised) say('The body was made from its JSON value: the raw one is not in the file.');
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
    if (error.authenticated) say('The signature holds: the service, or somebody with the secret, sent exactly this.');
    return 1;
  }
}

const NOTHING_FOUND =
  'No usual change of body or key explains it: most likely it is the secret of another endpoint, or one from before a rotation.';

function describeAge(skewSeconds: number): string {
  const side = skewSeconds < 0 ? 'old' : 'ahead of the clock';
  return `The request is ${Math.abs(skewSeconds)} s ${side}. To look at the signature alone, use --at request.`;
}

function readRequest(line: CommandLine): CapturedRequest {
  if (line.headers.length === 0) return parseCapturedRequest(readInput(line.argument ?? '-'));
  return { headers: parseHeaderLines(line.headers), body: readInput(line.body ?? '-'), reserialised: false };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
