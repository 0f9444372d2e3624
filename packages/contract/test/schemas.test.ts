import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { Responses } from '../src/index.ts';
import { bodySchemas, querySchemas, resourceSchemas, type responseSchemas } from '../src/schemas/index.ts';
import type { Differing } from './differing.ts';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('PATCH workspace body', () => {
  const schema = bodySchemas.UpdateWorkspaceBody;

  test('counts lengths in Unicode code points, after trimming', () => {
    expect(accepts(schema, { name: '😀'.repeat(120) })).toBe(true);
    expect(accepts(schema, { name: '😀'.repeat(121) })).toBe(false);
    expect(schema.parse({ name: `  ${'a'.repeat(120)}  ` })).toEqual({ name: 'a'.repeat(120) });
    expect(accepts(schema, { name: '   ' })).toBe(false);
  });

  test.each([
    ['acme', true],
    ['acme-prod_2', true],
    ['a'.repeat(120), true],
    ['a'.repeat(121), false],
    ['', false],
    ['Acme', false],
    ['acme--prod', false],
    ['-acme', false],
    ['acme_', false],
  ])('slug %j: %s', (slug, valid) => {
    expect(accepts(schema, { slug })).toBe(valid);
  });

  test.each([
    ['Europe/Berlin', true],
    [null, true],
    ['Mars/Olympus', false],
    ['Etc/GMT+5', true],
    ['+05:30', false],
    ['-0530', false],
    ['+05', false],
    ['', false],
    ['EST', true],
    ['utc', true],
    ['PST', false],
    ['ist', false],
    ['SystemV/AST4', false],
    ['US/Pacific-New', false],
  ])('timezone %j: %s', (timezone, valid) => {
    expect(accepts(schema, { timezone })).toBe(valid);
  });

  test.each([
    [0, true],
    [6, true],
    [null, true],
    [7, false],
    [-1, false],
    [1.5, false],
    ['1', false],
  ])('weekStartsOn %j: %s', (weekStartsOn, valid) => {
    expect(accepts(schema, { weekStartsOn })).toBe(valid);
  });

  test('ignores unknown fields', () => {
    expect(schema.parse({ colour: 'red' })).toEqual({});
  });
});

describe('Create webhook endpoint body', () => {
  const body = (change: object) => ({ url: 'https://receiver.test/hook', subscribedEvents: ['*'], ...change });
  const schema = bodySchemas.CreateWebhookEndpointBody;

  test.each([
    ['https://receiver.test/hook', true],
    [`https://receiver.test/${'a'.repeat(2048 - 22)}`, true],
    [`https://receiver.test/${'a'.repeat(2048 - 21)}`, false],
    ['https://user:secret@receiver.test/', false],
    ['https://receiver.test/#part', false],
    ['https://receiver.test/#', false],
    ['/hook', false],
    ['ftp://receiver.test/', false],
    ['https:receiver.test', false],
    ['https://', false],
    ['https://@receiver.test/', false],
    ['https://receiver.test:0/', false],
    ['https://receiver.test/@path', true],
    ['https://receiver.test/grüße?q=%20', true],
    ['https://receiver.test/a b', false],
    ['https://receiver.test/a\tb', false],
    ['https://receiver.test/a\nb', false],
    ['https://receiver.test/\u0001', false],
    [' https://receiver.test/', false],
    ['https://receiver.test/ ', false],
    ['https://receiver.test\\hook', false],
    ['https:///receiver.test', false],
  ])('url %j: %s', (url, valid) => {
    expect(accepts(schema, body({ url }))).toBe(valid);
  });

  test('accepts 1 to 100 subscribed events', () => {
    expect(accepts(schema, body({ subscribedEvents: [] }))).toBe(false);
    expect(accepts(schema, body({ subscribedEvents: Array(100).fill('*') }))).toBe(true);
    expect(accepts(schema, body({ subscribedEvents: Array(101).fill('*') }))).toBe(false);
  });

  test('accepts a description of at most 500 characters, or null', () => {
    expect(accepts(schema, body({ description: '😀'.repeat(500) }))).toBe(true);
    expect(accepts(schema, body({ description: 'a'.repeat(501) }))).toBe(false);
    expect(accepts(schema, body({ description: null }))).toBe(true);
  });
});

describe('List query', () => {
  test.each([
    ['1', true],
    ['100', true],
    ['0', false],
    ['101', false],
    ['', false],
    [' 5', false],
    ['5.0', false],
    ['1e1', false],
    ['+5', false],
  ])('limit %j: %s', (limit, valid) => {
    expect(accepts(querySchemas.ListQuery, { limit })).toBe(valid);
  });

  test.each([
    ['2026-03-01T00:00:00Z', true],
    ['2026-03-01T00:00:00.123+02:00', true],
    ['2026-03-01T00:00Z', true],
    ['2026-03-01', false],
    ['2026-03-01T00:00:00', false],
    ['yesterday', false],
  ])('createdFrom %j: %s', (createdFrom, valid) => {
    expect(accepts(querySchemas.ListWebhookDeliveriesPageQuery, { createdFrom })).toBe(valid);
  });

  test('an unknown delivery status is refused', () => {
    expect(accepts(querySchemas.ListWebhookDeliveriesPageQuery, { status: 'pending' })).toBe(true);
    expect(accepts(querySchemas.ListWebhookDeliveriesPageQuery, { status: 'lost' })).toBe(false);
  });
});

test('A field that may be absent is not undefined, in its type and without a method that older versions of zod lack', () => {
  type Detail = z.infer<typeof responseSchemas.WebhookDeliveryResponse>['delivery'];
  expectTypeOf<Required<Detail>['nextAttemptAt']>().toEqualTypeOf<string | null>();
  expectTypeOf<z.infer<typeof resourceSchemas.Event>>().not.toExtend<{ subject: unknown }>();
  expectTypeOf<{ subject: undefined }>().not.toExtend<Pick<z.infer<typeof resourceSchemas.Event>, 'subject'>>();
  const folder = join(import.meta.dirname, '../src/schemas');
  for (const file of readdirSync(folder)) {
    expect(readFileSync(join(folder, file), 'utf8'), file).not.toMatch(/\.exactOptional\(|z\.ZodExactOptional/);
  }
  const ping = { id: 'evt_1', type: 'webhook.ping', created: '2031-01-01T00:00:00Z' };
  expect(resourceSchemas.Event.parse(ping)).toEqual(ping);
  expect(accepts(resourceSchemas.Event, { ...ping, subject: null })).toBe(false);
});

type ResponseSchemas = { [Name in keyof typeof responseSchemas]: z.output<(typeof responseSchemas)[Name]> };

test('The schemas of responses are those of their interfaces', () => {
  expectTypeOf<Differing<ResponseSchemas, Responses>>().toBeNever();
});

test('A difference between a schema and an interface is noticed', () => {
  expectTypeOf<Differing<{ a: { b: string } }, { a: { b: 'c' } }>>().toEqualTypeOf<'a'>();
  expectTypeOf<Differing<{ a: { b: 'c' } }, { a: { b: string } }>>().toEqualTypeOf<'a'>();
  // An optional field that only one of them has, at any depth, is noticed.
  // biome-ignore lint/complexity/noBannedTypes: a schema that forgets each field.
  expectTypeOf<Differing<{ a: {} }, { a: { b?: string } }>>().toEqualTypeOf<'a'>();
  expectTypeOf<Differing<{ a: { b: { c: 1; d?: 1 } } }, { a: { b: { c: 1 } } }>>().toEqualTypeOf<'a'>();
});
