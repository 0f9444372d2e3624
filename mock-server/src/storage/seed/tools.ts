import type { Clock } from '../../domain/instant.ts';
import type { MasterKey } from '../../domain/master-key.ts';
import type { Random } from '../../domain/random.ts';
import type { Ids } from '../../runtime/ids.ts';

/** The tools for applying a seed, in addition to the database. */
export interface SeedTools {
  ids: Ids;
  clock: Clock;
  masterKey: MasterKey;
  random: Random;
}
