import type { Command } from 'commander';
import { addGroup } from '../../group.ts';
import { addProfilesImport } from './import.ts';

/** `svc-mock profiles` */
export function addProfiles(program: Command): void {
  addProfilesImport(addGroup(program, 'profiles', 'import the profiles of a workspace'));
}
