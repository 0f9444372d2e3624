import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { demoSeed } from '../../../../src/storage/seed/demo.ts';
import { createSeedJsonSchema } from '../../../../src/storage/seed/schema.ts';
import { startApi } from '../../../support/api.ts';

describe('The JSON Schema of seeds', () => {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(createSeedJsonSchema());

  test('accepts the demo seed, and a $schema line', () => {
    expect(validate({ $schema: './seed.schema.json', ...demoSeed })).toBe(true);
    expect(validate({})).toBe(true);
  });

  test.each([
    { users: [{ name: 'A' }] },
    { users: [{ email: 'a@example.test', name: 'A', nmae: 'B' }] },
    { organizations: [{ slug: 'ONE', name: 'One' }] },
    { organizations: [{ slug: 'one', name: 'One', members: { 'a@example.test': 'King' } }] },
    { clock: { startAt: 'tomorrow' } },
    { eventTypes: [{ type: 'x' }] },
  ])('rejects %j', (seed) => {
    expect(validate(seed)).toBe(false);
  });

  test('is served', async () => {
    await using api = await startApi();
    const { status, body } = await api.call('GET', '/_control/seed.schema.json');
    expect([status, body]).toEqual([200, createSeedJsonSchema()]);
  });
});
