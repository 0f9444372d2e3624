import type { CommandLine } from './line.ts';
import { print, printError, visibleLine } from './print.ts';
import { signedMessage } from './signed-message.ts';
import { UsageError } from './usage-error.ts';

/** The time that the service waits for a receiver's response. */
const TIMEOUT_MS = 10_000;

/**
 * `svc-webhooks send`: posts a signed message and prints the response. Returns the exit code, which is 1 if the service
 * would send the message again.
 */
export async function send(line: CommandLine): Promise<number> {
  // As in svc-mock, the URL may be just a port, or a host with a port.
  const given = (line.argument ?? '').replace(/^\d+$/, 'localhost:$&').replace(/^[\w.-]+:\d+(?=\/|$)/, 'http://$&');
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      "The receiver's URL is missing or invalid. Pass an http or https URL, such as localhost:3000/webhooks.",
      'send',
    );
  if (url.username || url.password)
    throw new UsageError(
      'Remove the user name and the password from the URL. The service does not send to such a URL.',
      'send',
    );
  const { id, headers, body } = await signedMessage(line);
  const startedAt = performance.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : new Uint8Array(body),
      // For the service, a redirect is a failed attempt, so do not follow redirects.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await startOf(response);
    const tookMs = Math.round(performance.now() - startedAt);
    print(`${visibleLine(`${id}: ${response.status} ${response.statusText} in ${tookMs} ms`)}\n`);
    if (text !== '') print(`${text.replaceAll('\r\n', '\n')}\n`);
    return response.ok ? 0 : 1;
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = cause instanceof Error ? cause.message || cause.name : message;
    printError(`${visibleLine(`${id}: no response: ${reason}`)}\n`);
    return 1;
  }
}

/** The maximum number of bytes of a response that the service keeps. */
const KEPT_BYTES = 64 * 1024;

/** Reads the start of a response, because a response may be endless. */
async function startOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk.subarray(0, KEPT_BYTES - bytes), { stream: true });
    bytes += chunk.length;
    if (bytes > KEPT_BYTES) return `${text}…\nThe response is longer than 64 KiB. The service does not keep the rest.`;
  }
  return text + decoder.decode();
}
