import { MasterKey } from '../../src/domain/master-key.ts';
import { addEndpoint, addMember, createWorld } from '../delivery/support/world.ts';
import { openDatabase } from './open-database.ts';
import { BEHAVIOURS, type Behaviour } from './plan.ts';

/** Makes a workspace with one user and endpoints of every behaviour. */
export async function seedEndpoints(
  database: string,
  masterKey: string,
  url: (behaviour: Behaviour) => string,
  copiesOfEach: number,
): Promise<string> {
  const world = await createWorld(await openDatabase(database), new MasterKey(Buffer.from(masterKey, 'hex')));
  await using _storage = world.storage;
  world.clock.reset();
  await addMember(world, 'Owner');
  for (let copies = 0; copies < copiesOfEach; copies++) {
    for (const behaviour of BEHAVIOURS) await addEndpoint(world, url(behaviour));
  }
  return world.workspaceId;
}
