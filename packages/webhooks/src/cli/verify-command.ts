import { type CapturedRequest, parseCapturedRequest, parseHeaderLines } from './captured-request.ts';
import { checkAge, diagnoseRequest } from './diagnose-request.ts';
import { showFindings } from './finding.ts';
import { type CommandLine, secretsOrThrow } from './line.ts';
import { print, visibleLine } from './print.ts';
import { readInput } from './read-input.ts';
import { toSeconds } from './signed-message.ts';
import { UsageError } from './usage-error.ts';

/** `svc-webhooks verify`: verifies a captured request and explains a failure. */
export async function verify(line: CommandLine): Promise<number> {
  const secrets = [secretsOrThrow(line)].flat();
  const request = await readRequest(line);
  const checkedAtMs = clockOf(line.at);
  const findings = await diagnoseRequest(request, secrets);
  const isGenuine = findings.every(({ ok }) => ok);
  if (isGenuine && checkedAtMs !== undefined) findings.push(...checkAge(request.headers, checkedAtMs));
  for (const text of showFindings(findings)) print(`${visibleLine(text)}\n`);
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

/** Returns the time of the check, in milliseconds, or `undefined` to skip the check of the request's age. */
function clockOf(at: string | undefined): number | undefined {
  if (at === 'request') return undefined;
  return at === undefined ? Date.now() : toSeconds(at) * 1000;
}

async function readRequest(line: CommandLine): Promise<CapturedRequest> {
  if (line.headers.length > 0) {
    if (line.argument !== undefined)
      throw new UsageError('With --header, pass the body with --body, not in a file.', 'verify');
    return { headers: parseHeaderLines(line.headers), body: await readInput(line.body ?? '-'), reserialized: false };
  }
  if (line.body !== undefined) throw new UsageError('--body requires --header.', 'verify');
  const bytes = await readInput(line.argument ?? '-');
  if (bytes.length === 0) throw new UsageError('The request is empty.', 'verify');
  return parseCapturedRequest(bytes);
}
