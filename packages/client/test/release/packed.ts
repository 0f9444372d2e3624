import { createPackedProject, type PackedProject } from '@svc/testing';

export type Project = PackedProject;

/** A project outside the repository that has the packed client installed, with ky and zod. */
export const createProject = (): Project => createPackedProject('packages/client', '@svc/client', ['ky', 'zod']);
