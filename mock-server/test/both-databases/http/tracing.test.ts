import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { makeWorkspace } from '../../support/http/workspace.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';

const exporter = new InMemorySpanExporter();
const as = { credential: demo.production.key };
let api: TestApi;
let receiver: Receiver;
let endpointId: string;

beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  receiver = await startReceiver();
  const body = { url: `${receiver.url}?token=secret`, subscribedEvents: ['lifecycle.*'] };
  endpointId = (await api.call('POST', '/v1/webhooks/endpoints', { ...as, body })).body.endpoint.id;
});
afterAll(async () => {
  trace.disable();
  context.disable();
  await api[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(() => exporter.reset());

const cause = async () => {
  const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  const { body } = await api.call('POST', '/_control/events', { body: event });
  await api.call('POST', '/_control/settle', { body: {} });
  return body as { event: { id: string }; deliveries: { id: string }[] };
};
const spansOf = (kind: SpanKind): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.kind === kind);

describe('Spans', () => {
  test('without an SDK are neither created nor stored', async () => {
    await cause();
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('traceparent');
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  describe('with an SDK', () => {
    beforeAll(() => {
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    });

    test('cover an event and each attempt of its deliveries, and link the attempts to the event', async () => {
      receiver.status = 503;
      const { event, deliveries } = await cause();
      receiver.status = 204;
      await api.call('POST', '/_control/clock', { body: { advance: '5m' } });

      const [accepted, ...others] = spansOf(SpanKind.PRODUCER);
      expect(others).toEqual([]);
      expect(accepted).toMatchObject({
        name: 'send lifecycle.evaluated',
        attributes: {
          'messaging.system': 'svc',
          'messaging.operation.type': 'send',
          'messaging.operation.name': 'send',
          'messaging.destination.name': 'lifecycle.evaluated',
          'messaging.message.id': event.id,
          'svc.workspace.id': demo.production.id,
        },
        status: { code: SpanStatusCode.UNSET },
      });

      const attempts = spansOf(SpanKind.CLIENT);
      const { hostname, port, origin } = new URL(receiver.url);
      const shared = {
        'http.request.method': 'POST',
        'url.full': `${origin}/hook`,
        'server.address': hostname,
        'server.port': Number(port),
        'svc.delivery.id': deliveries[0]?.id,
        'svc.endpoint.id': endpointId,
        'svc.event.id': event.id,
        'svc.event.type': 'lifecycle.evaluated',
        'svc.workspace.id': demo.production.id,
      };
      expect(attempts.map(({ name, attributes, status }) => ({ name, attributes, status }))).toEqual([
        {
          name: 'POST',
          attributes: {
            ...shared,
            'svc.delivery.attempt': 1,
            'http.response.status_code': 503,
            'error.type': '503',
          },
          status: { code: SpanStatusCode.ERROR, message: 'HTTP 503' },
        },
        {
          name: 'POST',
          attributes: {
            ...shared,
            'svc.delivery.attempt': 2,
            'http.request.resend_count': 1,
            'http.response.status_code': 204,
          },
          status: { code: SpanStatusCode.UNSET },
        },
      ]);
      const { traceId, spanId } = (accepted as ReadableSpan).spanContext();
      for (const attempt of attempts) {
        expect(attempt.parentSpanContext).toBeUndefined();
        expect(attempt.spanContext().traceId).not.toBe(traceId);
        expect(attempt.links).toMatchObject([{ context: { traceId, spanId } }]);
      }
      for (const { headers } of receiver.received) expect(headers).not.toHaveProperty('traceparent');
    });

    test('cover an evaluation, with the span of its event as a child', async () => {
      const { id, evaluate, put } = await makeWorkspace(api);
      await put([{ externalId: 'a' }]);
      exporter.reset();
      const { evaluation, event } = (await evaluate()).body;
      const [evaluated] = spansOf(SpanKind.INTERNAL);
      expect(evaluated).toMatchObject({
        name: 'evaluate',
        attributes: {
          'svc.evaluation.id': evaluation.id,
          'svc.evaluation.trigger': 'request',
          'svc.workspace.id': id,
        },
        status: { code: SpanStatusCode.UNSET },
      });
      const [accepted] = spansOf(SpanKind.PRODUCER);
      expect(accepted?.attributes['messaging.message.id']).toBe(event.id);
      expect(accepted?.parentSpanContext?.spanId).toBe(evaluated?.spanContext().spanId);
    });

    test('name the error of an attempt without a response', async () => {
      await api.call('POST', '/_control/faults', { body: { target: 'delivery', effect: { reset: true }, times: 1 } });
      await cause();
      const [attempt] = spansOf(SpanKind.CLIENT);
      expect(attempt?.attributes).toMatchObject({ 'error.type': 'Connection reset' });
      expect(attempt?.attributes).not.toHaveProperty('http.response.status_code');
    });

    test('also cover a ping, and link a replay to the event that it sends again', async () => {
      const ping = await api.call('POST', `/v1/webhooks/endpoints/${endpointId}/send-test-event`, as);
      await api.call('POST', '/_control/settle', { body: {} });
      await api.call('POST', `/v1/webhooks/deliveries/${ping.body.ping.deliveryId}/replay`, as);
      await api.call('POST', '/_control/settle', { body: {} });
      const [accepted] = spansOf(SpanKind.PRODUCER);
      expect(accepted?.name).toBe('send webhook.ping');
      const spanId = accepted?.spanContext().spanId;
      expect(spansOf(SpanKind.CLIENT).map(({ links }) => links[0]?.context.spanId)).toEqual([spanId, spanId]);
    });

    test('show an error for an event that is refused', async () => {
      const body = { workspaceId: 'wsp_none', type: 'lifecycle.evaluated' };
      expect((await api.call('POST', '/_control/events', { body })).status).toBe(404);
      const [refused] = spansOf(SpanKind.PRODUCER);
      expect(refused?.status).toMatchObject({ code: SpanStatusCode.ERROR });
      expect(spansOf(SpanKind.CLIENT)).toEqual([]);
    });
  });
});
