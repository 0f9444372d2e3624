import type { Command } from 'commander';
import { addGroup } from '../../group.ts';
import { addEndpointsCreate } from './create.ts';
import { addEndpointsDelete } from './delete.ts';
import { addEndpointsList } from './list.ts';
import { addEndpointsRotate } from './rotate.ts';
import { addEndpointsShow } from './show.ts';
import { addEndpointsTest } from './test.ts';
import { addEndpointsUpdate } from './update.ts';

/** `svc-mock endpoints` */
export function addEndpoints(program: Command): void {
  const group = addGroup(program, 'endpoints', 'list, show, create, update, delete, rotate or test endpoints');
  addEndpointsList(group);
  addEndpointsShow(group);
  addEndpointsCreate(group);
  addEndpointsUpdate(group);
  addEndpointsDelete(group);
  addEndpointsRotate(group);
  addEndpointsTest(group);
}
