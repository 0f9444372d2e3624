import { ID_PREFIXES, operations, PARAMETER_KINDS } from '@svc/contract';
import { expect, test } from 'vitest';
import { routeOf } from '../src/route.ts';

test("A URL's path is the path of its operation again, whatever its ids are", () => {
  const kinds: Readonly<Record<string, keyof typeof ID_PREFIXES>> = PARAMETER_KINDS;
  for (const { path } of Object.values(operations)) {
    const sent = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `${ID_PREFIXES[kinds[name] ?? 'user']}01K`);
    expect(routeOf(`https://api.service.test/base${sent}?limit=1`)).toBe(path);
  }
  expect(routeOf('/v1/things/thg_1')).toBe('/v1/things/{id}');
});
