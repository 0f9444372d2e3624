import type { Command } from 'commander';
import { addGroup } from '../../group.ts';
import { addSnapshotDelete } from './delete.ts';
import { addSnapshotList } from './list.ts';
import { addSnapshotRestore } from './restore.ts';
import { addSnapshotSave } from './save.ts';

/** `svc-mock snapshot` */
export function addSnapshot(program: Command): void {
  const group = addGroup(program, 'snapshot', 'save, restore, list or delete snapshots of everything');
  addSnapshotSave(group);
  addSnapshotRestore(group);
  addSnapshotList(group);
  addSnapshotDelete(group);
}
