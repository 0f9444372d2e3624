import { isSpanContextValid, type Link, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NewEvent } from '../domain/event-envelope.ts';

/*
 * Uses only OpenTelemetry's API package, so spans do nothing if the process has no OpenTelemetry SDK. Attributes follow
 * the semantic conventions for messaging and HTTP. This service's own attributes begin with `svc.`.
 */

/** A function, because a tracer keeps the SDK that was registered at the tracer's first span, even after `disable`. */
const tracer = () => trace.getTracer('@svc/mock-server');

type TracedEvent = Pick<NewEvent, 'id' | 'type' | 'workspaceId' | 'traceparent'>;

/** Accepts each event inside its own span. The event stores the span's trace context. */
export async function tracingEvents<Event extends TracedEvent, Result>(
  events: readonly Event[],
  accept: (events: Event[]) => Promise<Result>,
): Promise<Result> {
  const spans = events.map(startEventSpan);
  const marked = events.map((event, index) => ({ ...event, traceparent: traceparentOf(spans[index]) }));
  return await during(spans, () => accept(marked));
}

async function during<Result>(spans: readonly Span[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    for (const span of spans) span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
    throw error;
  } finally {
    for (const span of spans) span.end();
  }
}

const startEventSpan = ({ id, type, workspaceId }: TracedEvent): Span =>
  tracer().startSpan(`send ${type}`, {
    kind: SpanKind.PRODUCER,
    attributes: {
      'messaging.system': 'svc',
      'messaging.operation.type': 'send',
      'messaging.operation.name': 'send',
      'messaging.destination.name': type,
      'messaging.message.id': id,
      'svc.workspace.id': workspaceId,
    },
  });

interface TracedAttempt {
  id: string;
  endpointId: string;
  workspaceId: string;
  eventId: string;
  eventType: string;
  traceparent: string | null;
}

/**
 * Starts the span of an attempt, and returns the function that ends it. The span begins a new trace with a link to the
 * event's trace, because a trace of the event and all attempts could last for days. The receiver gets no trace headers.
 */
export function startAttemptSpan(delivery: TracedAttempt, url: string, number: number) {
  const span = tracer().startSpan('POST', {
    kind: SpanKind.CLIENT,
    root: true,
    links: linksTo(delivery.traceparent),
    attributes: {
      'http.request.method': 'POST',
      'svc.delivery.id': delivery.id,
      'svc.delivery.attempt': number,
      'svc.endpoint.id': delivery.endpointId,
      'svc.event.id': delivery.eventId,
      'svc.event.type': delivery.eventType,
      'svc.workspace.id': delivery.workspaceId,
    },
  });
  if (span.isRecording()) describeUrl(span, url, number);
  return ({ status, error }: { status: number | undefined; error: string | null }): void => {
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (error !== null) {
      span.setAttribute('error.type', error === `HTTP ${status}` ? String(status) : error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    }
    span.end();
  };
}

/** Adds the URL without the query, because the query may contain a secret. */
function describeUrl(span: Span, text: string, number: number): void {
  const url = URL.parse(text);
  if (!url) return;
  span.setAttributes({
    'url.full': `${url.origin}${url.pathname}`,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    ...(number > 1 && { 'http.request.resend_count': number - 1 }),
  });
}

function traceparentOf(span: Span | undefined): string | undefined {
  const context = span?.spanContext();
  if (!context || !isSpanContextValid(context)) return undefined;
  return `00-${context.traceId}-${context.spanId}-${context.traceFlags.toString(16).padStart(2, '0')}`;
}

function linksTo(traceparent: string | null): Link[] {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true } }];
}

export async function tracingEvaluation<Result>(
  cycle: { id: string; workspaceId: string; trigger: string },
  evaluate: () => Promise<Result>,
): Promise<Result> {
  const attributes = {
    'svc.evaluation.id': cycle.id,
    'svc.evaluation.trigger': cycle.trigger,
    'svc.workspace.id': cycle.workspaceId,
  };
  return await tracer().startActiveSpan('evaluate', { attributes }, (span) => during([span], evaluate));
}
