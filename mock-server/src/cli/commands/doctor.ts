import { checkAge, diagnoseRequest, type Finding, HOW_TO_DECODE, showFindings } from '@svc/webhooks/diagnose';
import { Option } from 'commander';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { folder } from '../../config/option-values.ts';
import type { CommandSpec } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { type Captured, compare, readCaptured } from '../doctor/captured.ts';
import { checkMachine } from '../doctor/machine.ts';
import { DidNotHappenError, UsageError } from '../exit-codes.ts';
import { instantOf, workspaceOption } from '../options.ts';

interface DoctorOptions {
  secret?: string;
  delivery?: string;
  at?: string;
  data: string;
  database?: string;
}

export const doctor: CommandSpec<DoctorOptions> = {
  usage: 'doctor [request]',
  summary:
    'explain why the signature of a captured request or of a delivery fails; without arguments, check this machine',
  examples: ['svc-mock doctor request.txt --secret whsec_…', 'svc-mock doctor whd_…'],
  options: [
    new Option('--secret <text>', "the endpoint's signing secret").env('WEBHOOK_SECRET'),
    new Option(
      '--delivery <id>',
      'compare the request with what the server sent for this delivery (default: the delivery that the header webhook-id names)',
    ),
    new Option(
      '--at <time>',
      'when the receiver got the request: an ISO 8601 time, a duration such as 5m for 5 minutes ago, or "request" to skip the age check (default: now)',
    ),
    workspaceOption(),
    new Option('--data <dir>', 'the data folder to check')
      .env('SVC_DATA')
      .default(DEFAULT_CONFIG.dataDir)
      .argParser(folder),
    new Option('--database <postgres-url>', 'the database to check').env('SVC_DATABASE_URL'),
  ],
  async run(context, [request], given) {
    const isId = request !== undefined && /^whd_\w+$/.test(request);
    if (isId && given.delivery !== undefined) {
      throw new UsageError('Pass only one delivery: as the argument, or with --delivery if the argument is a file.');
    }
    const options = isId ? { ...given, delivery: request } : given;
    const file = isId ? undefined : request;
    const findings =
      file || options.delivery
        ? await ofRequest(context, file, options)
        : await checkMachine(context.url, given.data, given.database);
    context.output.result({ ok: findings.every(({ ok }) => ok), findings }, () =>
      showFindings(findings, context.output.style),
    );
    const wrong = findings.filter(({ ok }) => !ok).map(({ what }) => what);
    if (wrong.length > 0) throw new DidNotHappenError(`These checks failed: ${wrong.join(', ')}.`);
  },
};

async function ofRequest(
  context: CommandContext,
  file: string | undefined,
  options: DoctorOptions,
): Promise<Finding[]> {
  const { secret } = options;
  const captured = file === undefined ? undefined : await readCaptured(file);
  const checkedAtMs = checkTimeOf(options.at);
  const findings: Finding[] = [];
  if (captured && secret !== undefined) {
    const findChanges = async () =>
      options.delivery === undefined ? await changedParts(context, captured, options) : [];
    findings.push(...(await diagnoseRequest(captured, [secret], findChanges)));
  }
  const deliveryId = options.delivery ?? (secret === undefined ? captured?.headers.get('webhook-id') : undefined);
  if (deliveryId !== undefined) findings.push(...(await ofDelivery(context, deliveryId, captured, options)));
  if (findings.length === 0) {
    throw new UsageError(
      'The request has no webhook-id. Pass the delivery with --delivery, or the secret with --secret.',
    );
  }
  const isGenuine = findings.every(({ what, ok }) => ok || what === 'delivery');
  if (!captured || !isGenuine || checkedAtMs === undefined) return findings;
  return [...findings, ...checkAge(captured.headers, checkedAtMs)];
}

const checkTimeOf = (at: string | undefined): number | undefined =>
  at === 'request' ? undefined : at === undefined ? Date.now() : Date.parse(instantOf('--at', at, Date.now()));

/** Returns an empty list if no running server knows the delivery. */
async function changedParts(context: CommandContext, captured: Captured, options: DoctorOptions): Promise<Finding[]> {
  const id = captured.headers.get('webhook-id');
  if (id === undefined) return [];
  const findings = await ofDelivery(context, id, captured, options).catch(() => []);
  return findings.filter(({ what, ok }) => !ok && what !== 'delivery');
}

async function ofDelivery(
  { api, control }: CommandContext,
  deliveryId: string,
  captured: Captured | undefined,
  { secret }: DoctorOptions,
): Promise<Finding[]> {
  const svc = await api();
  const [delivery, { attempts }, { explanation }] = await Promise.all([
    svc.webhooks.deliveries.retrieve(deliveryId),
    control.listAttempts({ deliveryId }),
    control.explainDelivery({ deliveryId }),
  ]);
  // The API returns the envelope's fields in the same order as in the signed body, so `body` equals the signed body.
  const body = JSON.stringify(await svc.events.retrieve(delivery.eventId));
  const about: Finding = { what: 'delivery', ok: delivery.status === 'success', detail: explanation.sentence };
  if (captured) return [about, ...compare(captured, attempts, body)];
  const last = attempts.at(-1);
  if (!last || secret === undefined) return [about];
  const { headers } = last.request;
  const findings = await diagnoseRequest({ headers, body, reserialized: false }, [secret]);
  return [about, ...(about.ok || delivery.responseStatus === null ? findings : blameReceiver(findings))];
}

function blameReceiver(findings: readonly Finding[]): Finding[] {
  const advice = `If the receiver rejects the signature, the receiver is probably decoding the secret as base64. ${HOW_TO_DECODE}.`;
  return findings.map((finding) => (finding.ok ? { ...finding, detail: `${finding.detail}. ${advice}` } : finding));
}
