import { createLambdaHandler, type LambdaEvent, toWebhookRequest } from '@svc/webhooks/lambda';
import type {
  ALBEvent,
  ALBResult,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyResult,
  APIGatewayProxyStructuredResultV2,
  LambdaFunctionURLEvent,
} from 'aws-lambda';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Sent, signedMessage } from '../support/message.ts';
import { webhooks as atTestClock } from '../support/receiver.ts';
import { describeFramework } from '../support/receiver-suite.ts';
import { codeOf } from '../support/refusal.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const multi = (headers: Sent['headers']) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

/** The shapes of a Lambda event, by caller. The body is plain or in base64. */
const shapes: Record<string, (sent: Sent) => LambdaEvent> = {
  'a REST API (payload 1.0)': ({ headers, body }) => ({
    httpMethod: 'POST',
    headers,
    multiValueHeaders: multi(headers),
    body,
    isBase64Encoded: false,
  }),
  'an HTTP API (payload 2.0)': ({ headers, body }) => ({
    version: '2.0',
    requestContext: { http: { method: 'POST', path: '/webhooks' } },
    headers,
    body: base64(body),
    isBase64Encoded: true,
  }),
  'a function URL': ({ headers, body }) => ({
    version: '2.0',
    requestContext: { http: { method: 'POST' }, domainName: 'x.lambda-url.eu-west-1.on.aws' },
    headers,
    body,
    isBase64Encoded: false,
  }),
  'a load balancer': ({ headers, body }) => ({
    requestContext: { elb: { targetGroupArn: 'arn' } },
    httpMethod: 'POST',
    headers,
    body,
    isBase64Encoded: false,
  }),
  'a load balancer with multi-value headers': ({ headers, body }) => ({
    requestContext: { elb: { targetGroupArn: 'arn' } },
    httpMethod: 'POST',
    multiValueHeaders: multi(headers),
    body: base64(body),
    isBase64Encoded: true,
  }),
};

for (const [name, toEvent] of Object.entries(shapes)) {
  describeFramework(`Lambda behind ${name}`, {
    mount: async (webhooks) => ({
      async post(sent) {
        const { statusCode, body } = await createLambdaHandler(webhooks)(toEvent(sent));
        return { status: statusCode, body };
      },
    }),
    mountParsed: async (webhooks) => ({
      async post(sent) {
        const event = { ...toEvent(sent), body: JSON.parse(sent.body) };
        const { statusCode, body } = await createLambdaHandler(webhooks)(event);
        return { status: statusCode, body };
      },
    }),
  });
}

describe('the Lambda entry', () => {
  it("is compatible with the types of AWS's own package", () => {
    type Handler = ReturnType<typeof createLambdaHandler>;
    expectTypeOf<APIGatewayProxyEvent | APIGatewayProxyEventV2 | LambdaFunctionURLEvent | ALBEvent>().toExtend<
      Parameters<Handler>[0]
    >();
    expectTypeOf<Awaited<ReturnType<Handler>>>().toExtend<
      APIGatewayProxyResult & APIGatewayProxyStructuredResultV2 & ALBResult
    >();
  });

  it('answers a load balancer that uses multi-value headers with multi-value headers', async () => {
    const event = { httpMethod: 'GET', multiValueHeaders: {}, body: null };
    expect(await createLambdaHandler(atTestClock)(event)).toMatchObject({
      statusCode: 405,
      multiValueHeaders: { allow: ['POST'] },
    });
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['no headers', { requestContext: { http: { method: 'POST' } }, body: '{}' }],
    ['null for everything', { httpMethod: 'POST', requestContext: null, headers: null, multiValueHeaders: null }],
    ['an event that is not an HTTP request', { key1: 'value1' }],
    ['a string', 'ping'],
  ])('answers a call with %s instead of throwing', async (_, event) => {
    const { statusCode, body } = await createLambdaHandler(atTestClock)(event as LambdaEvent);
    expect([statusCode, JSON.parse(body)]).toMatchObject([415, { code: 'unsupported_content_type' }]);
  });

  it('reads the plain headers if the multi-value headers are empty', async () => {
    const { headers, body } = signedMessage();
    const event = {
      httpMethod: 'POST',
      headers: { ...(headers as Record<string, string>), 'content-type': 'application/json' },
      multiValueHeaders: {},
      body: String(body),
    };
    expect((await createLambdaHandler(atTestClock)(event)).statusCode).toBe(200);
  });

  it('detects a duplicate header although the plain headers of payload 1.0 have only its last value', async () => {
    const { headers, body } = signedMessage();
    const event = {
      httpMethod: 'POST',
      headers,
      multiValueHeaders: { ...multi(headers), 'Webhook-Id': ['whd_0', 'whd_1'] },
      body: String(body),
    };
    expect(await codeOf(() => atTestClock.verifyRequest(toWebhookRequest(event)))).toBe('duplicate_header');
  });
});
