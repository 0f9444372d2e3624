import { Option } from 'commander';
import { writeOwnFile } from '../../config/own-file.ts';
import { ControlError, jsonOf } from '../../control-client/response.ts';
import type { CommandSpec } from '../command.ts';
import type { CommandContext, Scope } from '../context.ts';
import { every } from '../every.ts';
import { DidNotHappenError, orUsageError, UsageError } from '../exit-codes.ts';
import { type LiveOptions, listenLive } from '../listen/live.ts';
import { isLeftover, temporaryDescription } from '../listen/marker.ts';
import { createResponder, parseStatuses, wordsOf } from '../listen/respond.ts';
import { lineOf, shownOf } from '../listen/shown.ts';
import { allEventsOption, idParser, targetUrlOf, workspaceOption } from '../options.ts';

interface ListenOptions extends Omit<LiveOptions, 'target'> {
  forwardTo?: string;
  respond?: readonly number[];
  events: string[];
  secretFile?: string;
  printSecret?: true;
  live?: true;
}

const POLL_INTERVAL_MS = 2_000;

export const listen: CommandSpec<ListenOptions> = {
  usage: 'listen',
  summary: 'show each delivery, and forward it to a URL or respond to it, until you press Ctrl+C',
  examples: [
    'svc-mock listen --forward-to localhost:3000/webhooks',
    'svc-mock listen --live --server https://api.example.com --api-key svc_sk_… --forward-to 3000 --save fixtures',
  ],
  options: [
    new Option(
      '--forward-to <url>',
      'forward each delivery, byte for byte, to this URL, or to this port of your machine',
    ),
    new Option(
      '--respond <statuses>',
      'respond with this status, or with several statuses in turn, such as 503,200. The last status repeats. Without --forward-to, the default is 200',
    )
      .conflicts('forwardTo')
      .argParser(parseStatuses),
    allEventsOption(),
    new Option('--secret-file <file>', 'write the signing secret to this file (mode 0600) instead of printing it'),
    new Option(
      '--print-secret',
      'print the signing secret and exit; the secret stays the same as long as the server keeps its data',
    ).conflicts(['forwardTo', 'respond', 'secretFile']),
    new Option(
      '--live',
      'follow the deliveries of a real service (--server, --api-key); the command reads them from the API of the service',
    ).conflicts(['respond', 'secretFile', 'printSecret', 'events']),
    new Option('--endpoint <id>', 'with --live: follow only the deliveries to this endpoint').argParser(
      idParser('webhookEndpoint'),
    ),
    new Option(
      '--secret <secret>',
      'with --live: the signing secret of the endpoint; the command uses the secret to sign deliveries again if they are older than five minutes',
    ),
    new Option('--save <dir>', 'with --live: save each delivery as a fixture for tests'),
    new Option('--skip-verify-tls', 'do not verify the TLS certificate of the --forward-to server'),
    workspaceOption(),
  ],
  stopsGracefully: true,
  run: receive,
};

async function receive(context: CommandContext, _args: readonly string[], options: ListenOptions): Promise<void> {
  const { output, signal } = context;
  const target = targetOf(options);
  const respond = options.respond ?? [200];
  if (options.live) return await listenLive(context, { ...options, target });
  if ([options.endpoint, options.secret, options.save].some((given) => given !== undefined)) {
    throw new UsageError(
      '--endpoint, --secret and --save require --live: these options apply only to the deliveries of a real service.',
    );
  }
  if (options.printSecret) return await printSecret(context);
  const svc = await context.api();
  await removeLeftovers(context, svc);
  // Import only here: loading undici and Node's HTTP server takes longer than starting any other command.
  const { createForwarder, startLocalReceiver } = await import('../listen/forward.ts');
  await using forwarder =
    target === undefined ? createResponder(respond) : createForwarder(target, { verifyTls: !options.skipVerifyTls });
  await using receiver = await startLocalReceiver(async (headers, body) => {
    const response = await forwarder.forward(headers, body);
    const shown = shownOf(String(headers['webhook-id']), typeOf(body), response);
    output.item(shown, () => lineOf(output, shown));
    return response;
  });
  const { endpoint, secret: first } = await svc.webhooks.endpoints.create({
    url: receiver.url,
    subscribedEvents: options.events,
    description: temporaryDescription(target === undefined ? 'responds' : 'forwards'),
  });
  try {
    const secret = await keptSecret(context, endpoint.id, first.secret);
    const { secretFile } = options;
    if (secretFile !== undefined) {
      orUsageError(`Cannot write the secret to ${secretFile}`, () => writeOwnFile(secretFile, `${secret}\n`));
    }
    const how = target === undefined ? { respond } : { forwardTo: target };
    const about = { endpointId: endpoint.id, ...how, ...(!secretFile && { secret }) };
    output.item({ listening: true, ...about }, () => [
      `${target === undefined ? `Responding with ${wordsOf(respond)}` : `Forwarding to ${target}`}. Stop with Ctrl+C.`,
      `Endpoint  ${endpoint.id} (deleted when this command ends)`,
      secretFile === undefined ? `Secret    ${secret}` : `Secret    in ${secretFile}`,
    ]);
    const observer = await context.observer();
    for await (const _ of every(POLL_INTERVAL_MS, signal)) {
      await observer.webhooks.endpoints.retrieve(endpoint.id).catch((error: unknown) => {
        if (!isGone(error)) return;
        const what = `The endpoint ${endpoint.id} was deleted, or the server was reset`;
        throw new DidNotHappenError(`${what}. Run svc-mock listen again.`);
      });
    }
  } finally {
    await svc.webhooks.endpoints.delete(endpoint.id).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }
  output.note(`Deleted ${endpoint.id}.`);
}

async function printSecret(context: CommandContext): Promise<void> {
  const workspaceId = await context.workspaceId();
  const { secret } = await context.control.readListenSecret({ workspaceId });
  context.output.result({ secret }, () => secret);
}

/** If the control API is accessible, gives the endpoint the secret of earlier runs. */
async function keptSecret({ control, output }: CommandContext, endpointId: string, first: string): Promise<string> {
  try {
    return (await control.useListenSecret({ endpointId })).secret;
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    output.note("Each run gets a new secret. To get the same secret in every run, pass the server's --admin-token.");
    return first;
  }
}

function targetOf({ forwardTo, skipVerifyTls }: ListenOptions): string | undefined {
  if (forwardTo !== undefined) return new URL(targetUrlOf('--forward-to', forwardTo)).href;
  if (skipVerifyTls)
    throw new UsageError(
      '--skip-verify-tls requires --forward-to: --skip-verify-tls turns off the certificate check for the --forward-to URL.',
    );
  return undefined;
}

/** Like a 404, a 401 means that the endpoint is gone: a reset may have deleted its workspace or the credential. */
const isGone = (error: unknown) => [401, 404].includes(Number(Object(error).status));

async function removeLeftovers({ output }: CommandContext, svc: Scope): Promise<void> {
  const { data } = await svc.webhooks.endpoints.list();
  for (const endpoint of data) {
    if (!(await isLeftover(endpoint))) continue;
    await svc.webhooks.endpoints.delete(endpoint.id);
    output.note(`Deleted ${endpoint.id}, the endpoint of an earlier run.`);
  }
}

const typeOf = (body: Buffer) => String(Object(jsonOf(body.toString('utf8'))).type ?? 'unknown');
