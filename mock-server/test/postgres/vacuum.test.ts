import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createWorld } from '../support/delivery/world.ts';

test.each(['delivery_queue', 'delivery_lanes'])(
  'the dead rows of %s are removed after a fixed number, not after a share of all rows',
  async (table) => {
    await using world = (await createWorld()).storage;
    const { rows } = await world.read((queries) =>
      sql<{ name: string; value: string }>`
        select option_name as name, option_value as value
        from pg_class, pg_options_to_table(reloptions) where relname = ${table}`.execute(queries),
    );
    const options = Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
    expect(options).toMatchObject({ autovacuum_vacuum_scale_factor: 0, autovacuum_vacuum_threshold: 5_000 });
  },
);
