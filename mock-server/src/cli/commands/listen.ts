import { closeSync, constants, writeSync } from 'node:fs';
import { setInterval } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { openOwnFile } from '../../config/own-file.ts';
import { addCommand } from '../command.ts';
import { DidNotHappenError, UsageError } from '../exit.ts';
import { firstLine } from '../listen/first-line.ts';
import { createForwarder } from '../listen/forward.ts';
import { startLocalReceiver } from '../listen/local-receiver.ts';
import { isLeftover, temporaryDescription } from '../listen/marker.ts';
import { createResponder } from '../listen/respond.ts';
import { allEventsOption, wholeNumber, workspaceOption } from '../options.ts';
import type { Scope, Session } from '../session.ts';
import { targetUrlOf } from '../target-url.ts';

interface ListenOptions {
  forwardTo?: string;
  respond?: number;
  events: string[];
  secretFile?: string;
  skipVerifyTls?: true;
  workspace?: string;
}

/** How often it looks whether its endpoint is still there. */
const LOOK_INTERVAL_MS = 2_000;

/** A forwarded delivery. */
interface Shown {
  deliveryId: string;
  eventType: string;
  status: number;
  durationMs: number;
  error: string | null;
  /** The first line of the target's answer, if it failed. */
  answer?: string;
}

/** `svc-mock listen` */
export function addListen(program: Command): void {
  addCommand<ListenOptions>(program, {
    usage: 'listen',
    summary: 'forward deliveries to a URL, or answer them, and show each of them until Ctrl+C',
    examples: [
      'svc-mock listen --forward-to localhost:3000/webhooks',
      'svc-mock listen --respond 503 --events lifecycle.*',
    ],
    options: [
      new Option('--forward-to <url>', 'where to send them, byte for byte; a port of this machine is enough'),
      new Option('--respond <status>', 'answer them itself, with this status (default without --forward-to: 200)')
        .conflicts('forwardTo')
        .argParser(wholeNumber(200, 599)),
      allEventsOption(),
      new Option('--secret-file <file>', 'write the signing secret there (mode 0600) instead of printing it'),
      new Option('--skip-verify-tls', 'accept any certificate of the URL'),
      workspaceOption(),
    ],
    stopsGracefully: true,
    run: listen,
  });
}

async function listen(session: Session, _args: readonly string[], options: ListenOptions): Promise<void> {
  const { output, signal } = session;
  const target = options.forwardTo && new URL(targetUrlOf('--forward-to', options.forwardTo)).href;
  const respond = options.respond ?? 200;
  const svc = await session.api(options.workspace);
  await removeLeftovers(session, svc);
  const forwarder = target ? createForwarder(target, { verifyTls: !options.skipVerifyTls }) : createResponder(respond);
  await using receiver = await startLocalReceiver(async (headers, body) => {
    const forwarded = await forwarder.forward(headers, body);
    const shown: Shown = {
      deliveryId: String(headers['webhook-id']),
      eventType: typeOf(body),
      status: forwarded.status,
      durationMs: forwarded.durationMs,
      error: forwarded.error,
      ...(isFailure(forwarded.status) && !forwarded.error && { answer: firstLine(forwarded.body) }),
    };
    output.item(shown, () => lineOf(session, shown));
    return forwarded;
  });
  const { endpoint, secret } = await svc.webhooks.endpoints.create({
    url: receiver.url,
    subscribedEvents: options.events,
    description: temporaryDescription(target ? 'forwards' : 'responds'),
  });
  try {
    if (options.secretFile !== undefined) writeSecret(options.secretFile, secret.secret);
    const how = target ? { forwardTo: target } : { respond };
    const about = { endpointId: endpoint.id, ...how, ...(!options.secretFile && { secret: secret.secret }) };
    output.item({ listening: true, ...about }, () => [
      `${target ? `Forwarding to ${target}` : `Answering each delivery with ${respond}`}. Stop with Ctrl+C.`,
      `Endpoint  ${endpoint.id} (deleted at the end)`,
      options.secretFile === undefined ? `Secret    ${secret.secret}` : `Secret    in ${options.secretFile}`,
    ]);
    const observer = await session.observer(options.workspace);
    if (await isDeletedBefore(observer, endpoint.id, signal)) {
      throw new DidNotHappenError(
        `${endpoint.id} is gone: somebody deleted it, or reset the server. Run svc-mock listen again.`,
      );
    }
  } finally {
    await svc.webhooks.endpoints.delete(endpoint.id).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
    await forwarder.close();
  }
  output.note(`Deleted ${endpoint.id}.`);
}

/** Whether an endpoint is deleted before the signal aborts. */
async function isDeletedBefore({ webhooks }: Scope, endpointId: string, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const _ of setInterval(LOOK_INTERVAL_MS, undefined, { signal })) {
      try {
        await webhooks.endpoints.retrieve(endpointId);
      } catch (error) {
        // A server that is away for a while may come back with the endpoint.
        if (isGone(error)) return true;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return false;
}

/** A 401 means that its workspace or the credential is gone, too. */
const isGone = (error: unknown) => [401, 404].includes(Number(Object(error).status));

async function removeLeftovers({ output }: Session, svc: Scope): Promise<void> {
  const { data } = await svc.webhooks.endpoints.list();
  for (const endpoint of data) {
    if (!(await isLeftover(endpoint))) continue;
    await svc.webhooks.endpoints.delete(endpoint.id);
    output.note(`Deleted ${endpoint.id}, which an earlier run left.`);
  }
}

function writeSecret(file: string, secret: string): void {
  let open: number | undefined;
  try {
    open = openOwnFile(file, constants.O_WRONLY | constants.O_TRUNC);
    writeSync(open, `${secret}\n`);
  } catch (cause) {
    throw new UsageError(`Cannot write the secret to ${file}: ${(cause as Error).message}`, { cause });
  } finally {
    if (open !== undefined) closeSync(open);
  }
}

function typeOf(body: Buffer): string {
  try {
    return String(Object(JSON.parse(body.toString('utf8'))).type);
  } catch {
    return 'unknown';
  }
}

function lineOf(
  { output: { style } }: Session,
  { deliveryId, eventType, status, durationMs, error, answer }: Shown,
): string {
  const result = isFailure(status) ? style.red(error ?? `HTTP ${status}`) : style.green(`HTTP ${status}`);
  return `${new Date().toISOString()}  ${deliveryId}  ${eventType}  ${result}  ${durationMs} ms${answer ? `  ${answer}` : ''}`;
}

const isFailure = (status: number) => status < 200 || status >= 300;
